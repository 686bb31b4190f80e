"""The catalogue of central mechanisms that add noise, in the order in which they are shown."""

from dpstudio.core.mechanisms.additive import Additive, Guarantee, Sensitivity
from dpstudio.core.mechanisms.catastrophe import Catastrophe
from dpstudio.core.mechanisms.discrete_gaussian import DiscreteGaussian
from dpstudio.core.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.core.mechanisms.geometric import Geometric
from dpstudio.core.mechanisms.l2norm import L2Norm
from dpstudio.core.mechanisms.laplace import Laplace
from dpstudio.core.mechanisms.staircase import Staircase

MECHANISMS: list[type[Additive]] = [
    Laplace,
    Geometric,
    Staircase,
    AnalyticGaussian,
    DiscreteGaussian,
    TextbookGaussian,
    L2Norm,
    Catastrophe,
]

__all__ = ["MECHANISMS", "Additive", "Guarantee", "Sensitivity"]
