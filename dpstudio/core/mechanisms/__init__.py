"""The catalogue of central mechanisms, in the order in which they are shown."""

from dpstudio.core.mechanisms.additive import Additive, Guarantee, Sensitivity
from dpstudio.core.mechanisms.gaussian import AnalyticGaussian, TextbookGaussian
from dpstudio.core.mechanisms.geometric import Geometric
from dpstudio.core.mechanisms.laplace import Laplace

MECHANISMS: list[type[Additive]] = [Laplace, Geometric, AnalyticGaussian, TextbookGaussian]

__all__ = ["MECHANISMS", "Additive", "Guarantee", "Sensitivity"]
