"""The catalogue of errata: formulas and code of the texts that are wrong, each beside the right
one."""

from dpstudio.labs.promise.printed.listings.at_least_one import AtLeastOne
from dpstudio.labs.promise.printed.listings.averages import SequentialAverage
from dpstudio.labs.promise.printed.listings.calibration import GeometricAlpha, HistogramEpsilon
from dpstudio.labs.promise.printed.listings.classes import ClassMeans, SensitiveClasses, TwoDrawn
from dpstudio.labs.promise.printed.listings.erratum import Case, Draws, Erratum
from dpstudio.labs.promise.printed.listings.gaussians import ClassicalGaussian, DeltaCode
from dpstudio.labs.promise.printed.listings.local_numbers import (
    DuchiTies,
    PiecewiseHalves,
    SampledTwice,
)
from dpstudio.labs.promise.printed.listings.local_reports import (
    DirectEncoding,
    ThresholdSign,
    TwoCoins,
)
from dpstudio.labs.promise.printed.listings.made_tables import (
    ClippedBins,
    LargestDifference,
    OneNoise,
    RenamedWords,
    TwoDiverse,
)
from dpstudio.labs.promise.printed.listings.misprints import ExponentialTable, OtherClass
from dpstudio.labs.promise.printed.listings.readings import AlmostPure, ToldApart, TwoMonths
from dpstudio.labs.promise.printed.listings.reconstructions import (
    NeverRecovered,
    NoCentring,
    OtherPictures,
)
from dpstudio.labs.promise.printed.listings.scores import AverageF1
from dpstudio.labs.promise.printed.listings.second_draws import SecondDraws
from dpstudio.labs.promise.printed.listings.sensitivities import (
    MeanSensitivity,
    ThousandthUtility,
    VarianceSensitivity,
)
from dpstudio.labs.promise.printed.listings.synthetic_rows import (
    AskedAgain,
    CellsThatOccur,
    DividedNoise,
)
from dpstudio.labs.promise.printed.listings.vectors import L2Laplace
from dpstudio.labs.promise.printed.listings.wishart import Wishart

ERRATA: list[type[Erratum]] = [
    HistogramEpsilon,
    L2Laplace,
    Wishart,
    ClassicalGaussian,
    DeltaCode,
    AlmostPure,
    GeometricAlpha,
    ThousandthUtility,
    ExponentialTable,
    TwoMonths,
    SequentialAverage,
    MeanSensitivity,
    VarianceSensitivity,
    OtherClass,
    TwoCoins,
    ToldApart,
    DirectEncoding,
    ThresholdSign,
    PiecewiseHalves,
    SampledTwice,
    DuchiTies,
    SecondDraws,
    AtLeastOne,
    ClippedBins,
    OneNoise,
    AskedAgain,
    CellsThatOccur,
    DividedNoise,
    SensitiveClasses,
    TwoDiverse,
    RenamedWords,
    TwoDrawn,
    ClassMeans,
    LargestDifference,
    AverageF1,
    OtherPictures,
    NoCentring,
    NeverRecovered,
]

__all__ = ["ERRATA", "Case", "Draws", "Erratum"]
