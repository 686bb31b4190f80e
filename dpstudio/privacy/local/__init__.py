"""The catalogues of local protocols, in the order shown: for categories, for numbers, and what is
done to counts after."""

from dpstudio.privacy.local.coins import BiasedCoins, FairCoins, Warner
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.duchi import Duchi
from dpstudio.privacy.local.hadamard import Hadamard
from dpstudio.privacy.local.hashing import LocalHashing
from dpstudio.privacy.local.histogram import Summation, Thresholded
from dpstudio.privacy.local.hybrid import Hybrid
from dpstudio.privacy.local.number import NumberProtocol
from dpstudio.privacy.local.piecewise import Piecewise
from dpstudio.privacy.local.post import Clip, Normalise, Post, Printed, Raw, Simplex
from dpstudio.privacy.local.protocol import Protocol
from dpstudio.privacy.local.reals import Reals
from dpstudio.privacy.local.subset import SubsetSelection
from dpstudio.privacy.local.unary import Optimised, Symmetric

PROTOCOLS: list[type[Protocol]] = [
    FairCoins,
    BiasedCoins,
    Warner,
    Direct,
    Symmetric,
    Optimised,
    Summation,
    Thresholded,
    LocalHashing,
    SubsetSelection,
    Hadamard,
]
NUMBERS: list[type[NumberProtocol]] = [Reals, Duchi, Piecewise, Hybrid]
POST: list[type[Post]] = [Raw, Clip, Normalise, Simplex, Printed]

__all__ = ["NUMBERS", "POST", "PROTOCOLS", "NumberProtocol", "Post", "Protocol"]
