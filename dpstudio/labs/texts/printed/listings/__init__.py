"""The catalogue of errata: formulas and code of the texts that are wrong, each beside the right
one."""

from dpstudio.labs.texts.printed.listings.at_least_one import AtLeastOne
from dpstudio.labs.texts.printed.listings.averages import SequentialAverage
from dpstudio.labs.texts.printed.listings.calibration import GeometricAlpha, HistogramEpsilon
from dpstudio.labs.texts.printed.listings.erratum import Case, Draws, Erratum
from dpstudio.labs.texts.printed.listings.gaussians import ClassicalGaussian, DeltaCode
from dpstudio.labs.texts.printed.listings.local_numbers import (
    DuchiTies,
    PiecewiseHalves,
    SampledTwice,
)
from dpstudio.labs.texts.printed.listings.local_reports import (
    DirectEncoding,
    ThresholdSign,
    TwoCoins,
)
from dpstudio.labs.texts.printed.listings.reconstructions import (
    NeverRecovered,
    NoCentring,
    OtherPictures,
)
from dpstudio.labs.texts.printed.listings.scores import AverageF1
from dpstudio.labs.texts.printed.listings.second_draws import SecondDraws
from dpstudio.labs.texts.printed.listings.sensitivities import (
    MeanSensitivity,
    ThousandthUtility,
    VarianceSensitivity,
)
from dpstudio.labs.texts.printed.listings.vectors import L2Laplace
from dpstudio.labs.texts.printed.listings.wishart import Wishart

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
