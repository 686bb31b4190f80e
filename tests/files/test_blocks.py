"""The look at a block bit by bit against one that goes from byte to byte."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.files.read.text import blocks
from dpstudio.files.read.text.blocks import look

SIGNS = b'",\n\r 0017a'


def plainly(data: bytes, quote: bytes, sign: bytes, last: bool) -> tuple[int, bool, bool, bool]:
    """Size, line ends between quotes, quotes where they belong, and needless zeros."""
    inside, size, places = False, 0, []
    for at, byte in enumerate(data):
        if quote and byte == quote[0]:
            inside = not inside
            places.append((at, inside))
        elif byte == 10 and not inside:
            size = at + 1
    size = len(data) if last else size
    near = sign + quote + b"\n\r"
    fits = not (last and inside)
    for at, opens in places:
        if at < size:
            beside = (
                at == 0 or data[at - 1] in near
                if opens
                else at + 1 == len(data) or data[at + 1] in near
            )
            fits = fits and beside
    breaks = any(data[at] in b"\n\r" and sum(q < at for q, _ in places) % 2 for at in range(size))
    ends = b"[" + re.escape(near + b" ") + b"]"
    return (
        size,
        breaks,
        fits,
        re.search(b"(^|" + ends + rb")0\d+(" + ends + b"|$)", data) is not None,
    )


@pytest.mark.parametrize("piece", [64, 128, 1 << 18])
@given(
    data=st.lists(st.sampled_from(SIGNS), max_size=300).map(bytes)
    | st.lists(
        st.sampled_from(['"a"', '"0"', ",", "\n", '""', '"x\ny"', "007", "0.5", "\r\n", "b" * 60]),
        max_size=60,
    ).map(lambda parts: "".join(parts).encode()),
    quote=st.sampled_from([b'"', b""]),
    sign=st.sampled_from([b",", b""]),
    last=st.booleans(),
)
def test_bits_equal_bytes(piece: int, data: bytes, quote: bytes, sign: bytes, last: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_PIECE", piece)
        block = look(data, quote, sign, last)
    size, breaks, fits, zeros = plainly(data, quote, sign, last)
    assert block.fits == fits
    if not fits:
        return  # it is read by another reader
    assert block.size == size
    assert block.breaks == breaks
    assert block.zeros >= zeros
    if last or not quote:
        assert block.zeros == zeros
