"""The addresses of this machine that a room could be opened at."""

import socket
from contextlib import suppress

# Reserved for documentation (RFC 5737, RFC 3849): nothing is sent, only the way there is looked up.
_FAR = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def addresses() -> tuple[str, ...]:
    """Those by which phones of the local network may reach it, the likeliest first; none without a
    network. No packet is sent."""
    found = []
    for family, far in _FAR:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((far, 9))
            found.append(str(asked.getsockname()[0]))
    with suppress(OSError):
        found += [str(at[4][0]) for at in socket.getaddrinfo(socket.gethostname(), None)]
    usable = [at for at in found if not at.startswith(("127.", "::1", "fe80", "169.254."))]
    return tuple(dict.fromkeys(usable))
