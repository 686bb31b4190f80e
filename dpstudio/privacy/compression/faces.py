"""Small made faces: people who differ in their features, moods in their mouths, and a light from
one side that changes more pixels than either."""

from dataclasses import dataclass

import numpy as np

from dpstudio.charts.figure import Array
from dpstudio.data.memory import Sized
from dpstudio.privacy.compression.scatter import Codes
from dpstudio.values.messages import N_

SIDE = 16
MOODS = (N_("smiling"), N_("calm"), N_("frowning"))
LIGHTS = (N_("from the left"), N_("from the front"), N_("from the right"))
_GRAIN = 0.03


@dataclass(frozen=True, eq=False)
class Album(Sized):
    """Pictures (n, SIDE²) in [0, 1], row by row from above, with who, mood and light as codes."""

    x: Array
    who: Codes
    mood: Codes
    light: Codes


def album(people: int, each: int, strength: float, seed: int) -> Album:
    """So many pictures of so many people; `strength` in [0, 1] is how much of a picture the light
    takes on the far side."""
    rng = np.random.default_rng((seed, 19))
    features = rng.uniform(size=(people, 8))
    n = people * each
    who = np.repeat(np.arange(people), each)
    mood, light = rng.integers(3, size=n), rng.integers(3, size=n)
    shift, wobble = rng.normal(0, 0.025, (2, n, 1)), rng.normal(0, 0.12, (n, 1))
    f = features[who][..., None]
    down, across = np.meshgrid(*[np.linspace(-1, 1, SIDE)] * 2, indexing="ij")
    y, x = down.ravel() - shift[0], across.ravel() - shift[1]
    skin = 0.55 + 0.3 * f[:, 0]
    head = _inside((x / (0.58 + 0.25 * f[:, 1])) ** 2 + (y / (0.8 + 0.15 * f[:, 2])) ** 2, 6)
    picture = head * skin
    gap, high = 0.24 + 0.14 * f[:, 3], -0.3 + 0.2 * f[:, 4]
    for side in (-1, 1):
        eye = ((x - side * gap) / 0.13) ** 2 + ((y - high) / (0.09 + 0.06 * f[:, 5])) ** 2
        picture = picture * (1 - 0.85 * _inside(eye, 3))
    nose = (x / 0.08) ** 2 + ((y - 0.08) / (0.12 + 0.16 * f[:, 6])) ** 2
    picture = picture * (1 - 0.35 * _inside(nose, 3))
    bend = (1 - mood)[:, None] * 0.9 + wobble
    wide = 0.24 + 0.14 * f[:, 7]
    lips = 0.48 - bend * (x**2 - wide**2 / 2)
    mouth = np.exp(-(((y - lips) / 0.09) ** 2)) * _inside((x / wide) ** 2, 6)
    picture = picture * (1 - 0.8 * mouth)
    hair = head * _inside((y + 0.95) / (0.25 + 0.3 * f[:, 2] * f[:, 6]), 8)
    picture = picture * (1 - (1 - 0.9 * f[:, 5]) * hair)
    lit = 1 - strength / 2 * (1 + (light - 1)[:, None] * x * -1 * 1.2) * (light != 1)[:, None]
    noisy = picture * lit + rng.normal(0, _GRAIN, picture.shape)
    return Album(np.clip(noisy, 0.0, 1.0), who, mood, light)


def _inside(value: Array, sharp: float) -> Array:
    """1 where a value is well below 1, 0 where it is well above."""
    return np.asarray(1 / (1 + np.exp(np.clip(sharp * (value - 1), -50, 50))))
