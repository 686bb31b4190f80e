"""Makes paillier.json: ciphertexts of lightphe (MIT), given its file Paillier.py, by the key and the
chance that are written there. Run by hand: python tests/reference/paillier.py FOLDER, where FOLDER
holds the unpacked wheel of lightphe 0.0.27. Its own keys come from `random`, and are not used."""

import json
import random
import sys
import types
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
# Primes of 64, 512 and 1,024 bits: the first above 2^64 − 2^60, and so on.
SIZES = (64, 512, 1024)


def lightphe(folder: Path) -> Any:
    """lightphe's Paillier without the rest of it, and without sympy, of which it takes keys."""
    for name in ("sympy", "lightphe", "lightphe.models", "lightphe.models.Homomorphic"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["lightphe.models.Homomorphic"].Homomorphic = object  # type: ignore[attr-defined]
    for name in ("lightphe.commons", "lightphe.commons.logger"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["lightphe.commons.logger"].Logger = lambda module: None  # type: ignore[attr-defined]
    found = spec_from_file_location("one", folder / "lightphe" / "cryptosystems" / "Paillier.py")
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module.Paillier


def main(folder: str) -> None:
    """Write the file anew."""
    import gmpy2

    kind, chance, made = lightphe(Path(folder)), random.Random(16), []
    for bits in SIZES:
        p = int(gmpy2.next_prime((1 << bits) - (1 << (bits - 4))))
        q = int(gmpy2.next_prime(p + (1 << (bits - 8))))
        n, phi = p * q, (p - 1) * (q - 1)
        one = kind(keys={"public_key": {"g": n + 1, "n": n}, "private_key": {"phi": phi}})
        for _ in range(2 if bits < 1024 else 1):
            a, b, r, s = (chance.randrange(1, n // 3) for _ in range(4))
            ca, cb = one.encrypt(a, r), one.encrypt(b, s)
            total, tripled = one.add(ca, cb), one.multiply_by_constant(ca, 3)
            assert one.decrypt(ca) == a
            assert one.decrypt(total) == (a + b) % n
            values = (p, q, a, b, r, s, ca, cb, total, tripled)
            names = ("p", "q", "a", "b", "r", "s", "ca", "cb", "sum", "times3")
            made.append({k: str(v) for k, v in zip(names, values, strict=True)})
    (HERE / "paillier.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
