"""How far two inks are apart to an eye: CIEDE2000 (Sharma, Wu & Dalal 2005) after a simulation of
deutan, protan and tritan sight (Machado, Oliveira & Fernandes 2009, severity 1.0)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

SIGHTS = {
    "usual": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def lab(colours: ArrayLike, sight: str = "usual") -> Array:
    """CIELAB (D65) of sRGB colours of 0 … 255, shape (n, 3), as this sight sees them."""
    c = np.asarray(colours, dtype=np.float64) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ SIGHTS[sight].T, 0, 1)
    xyz = seen @ _XYZ.T / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack(
        (116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])), axis=1
    )


def ciede2000(one: Array, two: Array) -> Array:
    """The difference of CIELAB colours, shapes (…, 3) that broadcast."""
    (l1, a1, b1), (l2, a2, b2) = (np.moveaxis(np.asarray(x), -1, 0) for x in (one, two))
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    grey = c1 * c2 == 0
    turn = (h2 - h1 + 180) % 360 - 180
    dh = np.where(grey, 0, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)))
    hue = np.where(grey, h1 + h2, (h1 + turn / 2) % 360)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rt = (
        -2
        * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
        * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    )
    l, c, h = (l2 - l1) / sl, (c2 - c1) / sc, dh / sh
    return np.sqrt(l * l + c * c + h * h + rt * c * h)


def projected(inks: list[str]) -> Array:
    """The sRGB colours, of 0 … 255, that a weak projector makes of hex inks in a room with daylight,
    shape (n, 3): of light half the saturation, and a black of a quarter of white."""
    c = np.array([rgb(ink) for ink in inks]) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    grey = (linear @ _XYZ[1])[:, None]
    seen = 0.25 + 0.75 * (linear + grey) / 2
    srgb = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)
    return np.asarray(255 * srgb)


def rgb(ink: str) -> list[int]:
    return [int(ink[i : i + 2], 16) for i in (1, 3, 5)]


def apart(inks: list[str]) -> Array:
    """The least difference over all sights of each pair of hex inks, shape (n, n)."""
    colours = [lab([rgb(ink) for ink in inks], sight) for sight in SIGHTS]
    return np.min([ciede2000(c[:, None], c[None]) for c in colours], axis=0)
