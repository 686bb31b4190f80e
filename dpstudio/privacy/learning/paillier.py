"""Paillier's cryptosystem (1999): sums under encryption. Chance is handed in: `below(n)` gives an
integer from 0 to n − 1 that nobody can guess, as `secrets.randbelow` does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpstudio.privacy.sampling import Below

Seconds = Callable[[], float]

REAL_BITS = 2048  # NIST SP 800-57: 112 bits of security; what is below 1024 bits is a toy


def _library() -> Any:
    """gmpy2, imported when it is first needed."""
    import gmpy2

    return gmpy2


def prime(bits: int, below: Below) -> int:
    """A random prime of exactly so many bits, its two highest set, so that a product of two has
    twice as many."""
    library = _library()
    while True:
        start = below(1 << bits) | (3 << (bits - 2)) | 1
        found = int(library.next_prime(start - 1))
        if found.bit_length() == bits:
            return found


@dataclass(frozen=True)
class Public:
    """The key n = pq with which anyone encrypts: m to (1 + mn)·rⁿ mod n², for a fresh random r."""

    n: int

    def encrypt(self, message: int, below: Below) -> int:
        """A ciphertext of an integer, negative ones mod n. ValueError where |message| ≥ n/2, which
        no one could tell from another."""
        if 2 * abs(message) >= self.n:
            raise ValueError("the number does not fit the key")
        library, square = _library(), self.n * self.n
        while True:
            r = below(self.n)
            if library.gcd(r, self.n) == 1:
                mask = library.powmod(r, self.n, square)
                return int((1 + message * self.n) * mask % square)

    def add(self, one: int, other: int) -> int:
        """A ciphertext of the sum of what two hold."""
        return one * other % (self.n * self.n)

    def times(self, one: int, factor: int) -> int:
        """A ciphertext of an integer, negative ones too, times what one holds."""
        return int(_library().powmod(one, factor, self.n * self.n))


@dataclass(frozen=True)
class Private:
    """The primes of a key: who has them decrypts."""

    p: int
    q: int

    @property
    def public(self) -> Public:
        """The key that is given away."""
        return Public(self.p * self.q)

    def decrypt(self, ciphertext: int) -> int:
        """The integer in (−n/2, n/2) that a ciphertext holds; modulo p² and q² apart, joined by the
        Chinese remainder theorem (Paillier 1999, section 7)."""
        n = self.p * self.q
        library = _library()
        mp, mq = (self._half(ciphertext, one, n) for one in (self.p, self.q))
        joined = int(mq + self.q * ((mp - mq) * library.invert(self.q, self.p) % self.p))
        return joined - n if 2 * joined > n else joined

    def _half(self, ciphertext: int, one: int, n: int) -> int:
        """The message modulo p, one of the primes: L(c^(p − 1))/L((1 + n)^(p − 1)), L(u) = (u −
        1)/p."""
        library, square = _library(), one * one
        top = (library.powmod(ciphertext, one - 1, square) - 1) // one
        # (1 + n)^(p − 1) = 1 + (p − 1)·n mod p², as p divides n.
        below = (one - 1) * n % square // one
        return int(top * library.invert(below, one) % one)


def new_key(bits: int, below: Below) -> Private:
    """A fresh key whose n has so many bits, an even number of at least 16."""
    while True:
        p, q = prime(bits // 2, below), prime(bits // 2, below)
        if p != q and _library().gcd(p * q, (p - 1) * (q - 1)) == 1:
            return Private(p, q)


def clocked(
    bits: int, below: Below, seconds: Seconds, times: int = 5
) -> tuple[float, float, float, float]:
    """How many seconds one encryption, one sum, one power (by a factor of 80 digits) and one
    decryption take here with a fresh key, by the clock `seconds`: the middle of so many."""
    key = new_key(bits, below)
    public, factor = key.public, (1 << 80) - 1
    held = [public.encrypt(i, below) for i in range(times)]
    jobs = (
        lambda c: public.encrypt(1, below),
        lambda c: public.add(c, held[0]),
        lambda c: public.times(c, factor),
        key.decrypt,
    )
    encryption, addition, power, decryption = (_middle(job, held, seconds) for job in jobs)
    return encryption, addition, power, decryption


def _middle(job: Callable[[int], object], given: list[int], seconds: Seconds) -> float:
    """The middle of the times that a job takes."""
    taken = []
    for one in given:
        start = seconds()
        job(one)
        taken.append(seconds() - start)
    return sorted(taken)[len(taken) // 2]
