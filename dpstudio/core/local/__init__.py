"""The catalogues of local protocols, in the order shown: for categories, for numbers, and what is done to counts after."""

from dpstudio.core.local.coins import BiasedCoins, FairCoins, Warner
from dpstudio.core.local.direct import Direct
from dpstudio.core.local.duchi import Duchi
from dpstudio.core.local.hadamard import Hadamard
from dpstudio.core.local.hashing import LocalHashing
from dpstudio.core.local.histogram import Summation, Thresholded
from dpstudio.core.local.hybrid import Hybrid
from dpstudio.core.local.number import NumberProtocol
from dpstudio.core.local.piecewise import Piecewise
from dpstudio.core.local.post import Clip, Normalise, Post, Printed, Raw, Simplex
from dpstudio.core.local.protocol import Protocol
from dpstudio.core.local.reals import Reals
from dpstudio.core.local.subset import SubsetSelection
from dpstudio.core.local.unary import Optimised, Symmetric

PROTOCOLS: list[type[Protocol]] = [
    FairCoins, BiasedCoins, Warner, Direct, Symmetric, Optimised, Summation, Thresholded, LocalHashing, SubsetSelection, Hadamard,
]  # fmt: skip
NUMBERS: list[type[NumberProtocol]] = [Reals, Duchi, Piecewise, Hybrid]
POST: list[type[Post]] = [Raw, Clip, Normalise, Simplex, Printed]

__all__ = ["NUMBERS", "POST", "PROTOCOLS", "NumberProtocol", "Post", "Protocol"]
