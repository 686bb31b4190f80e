"""The catalogue of learners: one file each, and one name here."""

from dpstudio.labs.models.learn.learners.decision_tree import DecisionTree
from dpstudio.labs.models.learn.learners.gradient_descent import GradientDescent
from dpstudio.labs.models.learn.learners.learner import Learner
from dpstudio.labs.models.learn.learners.least_squares import LeastSquares
from dpstudio.labs.models.learn.learners.logistic_objective import LogisticObjective
from dpstudio.labs.models.learn.learners.logistic_output import LogisticOutput
from dpstudio.labs.models.learn.learners.naive_bayes import NaiveBayes
from dpstudio.labs.models.learn.learners.random_forest import RandomForest
from dpstudio.labs.models.learn.learners.regression_functional import FunctionalRegression
from dpstudio.labs.models.learn.learners.regression_moments import GaussianMoments, LaplaceMoments
from dpstudio.labs.models.learn.learners.regression_output import OutputRegression
from dpstudio.labs.models.learn.learners.regression_wishart import WishartMoments

LEARNERS: list[type[Learner]] = [
    NaiveBayes,
    LeastSquares,
    LogisticObjective,
    GradientDescent,
    LogisticOutput,
    DecisionTree,
    RandomForest,
    GaussianMoments,
    LaplaceMoments,
    WishartMoments,
    FunctionalRegression,
    OutputRegression,
]
