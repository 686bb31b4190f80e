"""The catalogue of learners: one file each, and one name here."""

from dpstudio.labs.learning.learn.learners.gradient_descent import GradientDescent
from dpstudio.labs.learning.learn.learners.learner import Learner
from dpstudio.labs.learning.learn.learners.least_squares import LeastSquares
from dpstudio.labs.learning.learn.learners.logistic_objective import LogisticObjective
from dpstudio.labs.learning.learn.learners.logistic_output import LogisticOutput
from dpstudio.labs.learning.learn.learners.naive_bayes import NaiveBayes

LEARNERS: list[type[Learner]] = [
    NaiveBayes,
    LeastSquares,
    LogisticObjective,
    GradientDescent,
    LogisticOutput,
]
