"""How much one device, and all of them together, may ask of a room. What a device is told apart by
is a keyed hash in memory, gone when the device has been quiet for a moment."""

import secrets
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from hashlib import blake2b
from ipaddress import ip_address, ip_network

# A room may share one address behind a router: 200 phones that ask every 5 s are 40 a second, and
# read seven files each when they come.
RATE, BURST = 60.0, 1200.0
RATE_ALL, BURST_ALL = 600.0, 2400.0
CONNECTIONS, CONNECTIONS_ALL = 250, 700
_SWEEP = 1000


@dataclass
class Bucket:
    """Fills by `rate` a second up to `most`; every request takes one."""

    rate: float
    most: float
    level: float = 0.0
    at: float = 0.0

    def take(self, now: float) -> bool:
        """Whether there is one left to take at that second of a steady clock."""
        self.level = min(self.most, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


@dataclass
class Gate:
    """The limits of one room at its own address (`host`); used by its one thread alone."""

    host: str = ""
    rate: float = RATE
    burst: float = BURST
    connections: int = CONNECTIONS
    connections_all: int = CONNECTIONS_ALL
    _key: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    _all: Bucket = field(default_factory=lambda: Bucket(RATE_ALL, BURST_ALL, BURST_ALL))
    _each: dict[Hashable, Bucket] = field(default_factory=dict)
    _open: Counter[Hashable] = field(default_factory=Counter)

    def device(self, address: object) -> Hashable:
        """What stands for an address while the room is open: of IPv6 for its network of 64 bits,
        in which a phone takes many addresses, unless that is the room's own, which all phones of
        the room share."""
        at = str(address)
        if network(at) != network(self.host):
            at = network(at)
        return blake2b(at.encode(), key=self._key, digest_size=8).digest()

    def passes(self, device: Hashable, now: float) -> bool:
        """Whether a request of that device is heard now, in seconds of a steady clock."""
        if len(self._each) > _SWEEP:
            self._forget(now)
        bucket = self._each.setdefault(device, Bucket(self.rate, self.burst, self.burst, now))
        return bucket.take(now) and self._all.take(now)

    def _forget(self, now: float) -> None:
        """Those whose bucket is full again are as if they had never come."""
        self._each = {
            d: b for d, b in self._each.items() if b.level + (now - b.at) * b.rate < b.most
        }

    def enter(self, device: Hashable) -> bool:
        """Count a connection; False where its device has too many, and it is to be cut."""
        self._open[device] += 1
        return self._open[device] <= self.connections

    @property
    def full(self) -> bool:
        """Whether there are too many of all devices together."""
        return self._open.total() > self.connections_all

    def leave(self, device: Hashable) -> None:
        """A connection is gone."""
        self._open[device] -= 1
        if self._open[device] <= 0:
            del self._open[device]


def network(address: str) -> str:
    """The network of 64 bits of an IPv6 address; any other as it is."""
    try:
        at = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if at.version == 4:
        return address
    return str(at.ipv4_mapped or ip_network((int(at), 64), strict=False))
