"""The catalogue of learners: one file each, and one name here."""

from dpstudio.labs.learning.learn.learners.learner import Learner
from dpstudio.labs.learning.learn.learners.naive_bayes import NaiveBayes

LEARNERS: list[type[Learner]] = [NaiveBayes]
