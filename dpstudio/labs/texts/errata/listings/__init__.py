"""The catalogue of errata: formulas and code of the texts that are wrong, each beside the right
one."""

from dpstudio.labs.texts.errata.listings.at_least_one import AtLeastOne
from dpstudio.labs.texts.errata.listings.averages import SequentialAverage
from dpstudio.labs.texts.errata.listings.calibration import GeometricAlpha, HistogramEpsilon
from dpstudio.labs.texts.errata.listings.erratum import Case, Draws, Erratum
from dpstudio.labs.texts.errata.listings.gaussians import ClassicalGaussian, DeltaCode
from dpstudio.labs.texts.errata.listings.local_numbers import (
    DuchiTies,
    PiecewiseHalves,
    SampledTwice,
)
from dpstudio.labs.texts.errata.listings.local_reports import (
    DirectEncoding,
    ThresholdSign,
    TwoCoins,
)
from dpstudio.labs.texts.errata.listings.reconstructions import (
    NeverRecovered,
    NoCentring,
    OtherPictures,
)
from dpstudio.labs.texts.errata.listings.scores import AverageF1
from dpstudio.labs.texts.errata.listings.second_draws import SecondDraws
from dpstudio.labs.texts.errata.listings.sensitivities import (
    MeanSensitivity,
    ThousandthUtility,
    VarianceSensitivity,
)
from dpstudio.labs.texts.errata.listings.vectors import L2Laplace
from dpstudio.labs.texts.errata.listings.wishart import Wishart

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
    AverageF1,
    OtherPictures,
    NoCentring,
    NeverRecovered,
]

__all__ = ["ERRATA", "Case", "Draws", "Erratum"]
