"""The numbers of the lab Inversion, worked out without the program."""

from dpstudio.labs.attacks.inversion.parameters import Inversion
from dpstudio.labs.scripting.scripted import Known, Script

_LINES = """
    # How alike the picture found of a class is to its mean one, on average over all ten classes,
    # where confidences are told exactly, rounded to 0.1, and where the label alone is told.
    weights, means, accuracy = digits_classifier()

    def alike(step):
        found = [inverted_picture(weights, c, step, passes) for c in range(10)]
        return np.mean([picture_likeness(one, means[c]) for c, one in enumerate(found)])

    numbers["off"] = alike(0)
    numbers["best"] = alike(0.1)
    numbers["promised"] = alike(1)
    numbers["attack"] = accuracy
"""
_HERO = """
    found = [inverted_picture(weights, digit, step, passes) for step in (0, 0.1, 1)]
    sheet = np.hstack([np.reshape(one, (8, 8)) for one in [means[digit], *found]])
    axes.imshow(sheet, cmap="gray_r")
    axes.set(title="learnt from; exact, rounded to 0.1, label alone", xticks=[], yticks=[])
"""


def script(lab: Inversion, known: Known) -> Script:
    """The classifier, and what is found of its classes."""
    return Script({"digit": lab.digit, "passes": lab.passes}, _LINES, hero=_HERO)
