"""The script of the lab Learn: that of its learner."""

from dpstudio.labs.models.learn.learners.scripts import Asked, learner_script
from dpstudio.labs.models.learn.parameters import Learn
from dpstudio.labs.scripting.scripted import Known, Script


def script(lab: Learn, known: Known) -> Script:
    """The script of a state. Raises NoScript."""
    rows = lab.features, lab.predicts, lab.test, lab.split, lab.seed
    asked = Asked(*rows, lab.epsilon, lab.adjacency, lab.confidence, lab.runs)
    return learner_script(lab.learner, asked, known)
