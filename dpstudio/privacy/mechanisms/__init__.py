"""The catalogue of central mechanisms that add noise, in the order in which they are shown."""

from dpstudio.privacy.mechanisms.additive import Additive, Guarantee, Sensitivity
from dpstudio.privacy.mechanisms.catastrophe import Catastrophe
from dpstudio.privacy.mechanisms.discrete_gaussian import DiscreteGaussian
from dpstudio.privacy.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.privacy.mechanisms.geometric import Geometric
from dpstudio.privacy.mechanisms.l2norm import L2Norm
from dpstudio.privacy.mechanisms.laplace import Laplace
from dpstudio.privacy.mechanisms.staircase import Staircase

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
