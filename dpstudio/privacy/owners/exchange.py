"""The exchange of encrypted shares, step by step: owners, a user who adds and blinds, and a key
holder who opens what is blinded (Al-Rubaie, Wu, Chang & Kung 2017)."""

from collections.abc import Sequence

from dpstudio.privacy.learning.owners import Work
from dpstudio.privacy.learning.paillier import Private, Public
from dpstudio.privacy.owners.shares import Share, ciphertexts
from dpstudio.privacy.sampling import Below


def sealed(share: Share, key: Public, below: Below) -> list[int]:
    """What an owner sends to the user: each number under encryption. It may go then."""
    return [key.encrypt(v, below) for v in share.listed()]


def added(one: Sequence[int], other: Sequence[int], key: Public) -> list[int]:
    """Two together, under encryption."""
    return [key.add(a, b) for a, b in zip(one, other, strict=True)]


def blinded(total: Sequence[int], key: Public, below: Below) -> tuple[list[int], list[int]]:
    """What the user sends to the key holder, and the masks that it keeps: every number plus one
    that is uniform modulo n, so that what is opened is uniform whatever was hidden."""
    masks = [below(key.n) - key.n // 2 for _ in total]
    hidden = [key.add(c, key.encrypt(b, below)) for c, b in zip(total, masks, strict=True)]
    return hidden, masks


def opened(received: Sequence[int], key: Private) -> list[int]:
    """What the key holder sees: blinded sums."""
    return [key.decrypt(c) for c in received]


def trusted_box(seen: Sequence[int], masks: Sequence[int], key: Public) -> list[int]:
    """The sums themselves: blinded sums less their masks, modulo n, those above n/2 negative.

    It stands in for the garbled circuit, into which the key holder puts what it sees and the user,
    by oblivious transfer, its masks: nobody may hold both, as this function does.
    """
    n = key.n
    found = ((s - b) % n for s, b in zip(seen, masks, strict=True))
    return [v - n if 2 * v > n else v for v in found]


def work(p: int, classes: int, owners: int) -> Work:
    """The operations for p columns: encryptions by one owner, and of masks by the user; sums by the
    user; decryptions by the key holder."""
    count = ciphertexts(p, classes)
    return Work(count, count, owners * count, 0, count)


def key_size(bits: int) -> int:
    """The bytes of a public key: its modulus n says all of it, for g = n + 1."""
    return -(-bits // 8)


def sealed_size(numbers: int, bits: int) -> int:
    """The bytes of so many numbers under encryption, each below n²."""
    return numbers * -(-2 * bits // 8)


# Who reads what if nobody helps another: of rows, of single shares, of sums, of the result. A
# circuit would tell the result to the user alone.
READS = {
    "owner": (True, True, False, False),
    "user": (False, False, False, True),
    "holder": (False, False, False, False),
}
