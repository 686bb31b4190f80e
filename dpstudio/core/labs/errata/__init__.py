"""The catalogue of errata: formulas and code of the texts that are wrong, each beside the right one."""

from dpstudio.core.labs.errata.at_least_one import AtLeastOne
from dpstudio.core.labs.errata.averages import SequentialAverage
from dpstudio.core.labs.errata.calibration import GeometricAlpha, HistogramEpsilon
from dpstudio.core.labs.errata.erratum import Draws, Erratum, Reading
from dpstudio.core.labs.errata.gaussians import ClassicalGaussian, DeltaCode
from dpstudio.core.labs.errata.local_numbers import DuchiTies, PiecewiseHalves, SampledTwice
from dpstudio.core.labs.errata.local_reports import DirectEncoding, ThresholdSign, TwoCoins
from dpstudio.core.labs.errata.second_draws import SecondDraws
from dpstudio.core.labs.errata.sensitivities import MeanSensitivity, ThousandthUtility, VarianceSensitivity
from dpstudio.core.labs.errata.vectors import L2Laplace
from dpstudio.core.labs.errata.wishart import Wishart

ERRATA: list[type[Erratum]] = [
    HistogramEpsilon,
    L2Laplace,
    Wishart,
    ClassicalGaussian,
    DeltaCode,
    GeometricAlpha,
    ThousandthUtility,
    SequentialAverage,
    MeanSensitivity,
    VarianceSensitivity,
    TwoCoins,
    DirectEncoding,
    ThresholdSign,
    PiecewiseHalves,
    SampledTwice,
    DuchiTies,
    SecondDraws,
    AtLeastOne,
]

__all__ = ["ERRATA", "Draws", "Erratum", "Reading"]
