"""An erratum of a score: F1 as an average of precision and recall."""

import numpy as np

from dpstudio.charts.figure import Array, Axis
from dpstudio.labs.promise.printed.listings import erratum
from dpstudio.values.messages import N_, Num, say
from dpstudio.values.parameters import Share, param

_LOW = 0.01


class AverageF1(erratum.Erratum):
    """Section 9.4: F1 is called the weighted average of precision and recall; it is their harmonic
    mean."""

    key = "average_f1"
    label = N_("F1 as an average")
    source = N_("an introductory book, section 9.4")
    wrong = N_("F1 is called a weighted average; it is a harmonic mean.")
    right = N_("Of precision and recall it is near the smaller.")
    follows = {
        "warn": N_(
            "With precision {precision} and recall {recall} the average is {mean}, and F1 {f1}: "
            "the average flatters who finds little or is often wrong."
        ),
        "good": N_("Where precision and recall are equal, {recall}, both are the same."),
    }

    precision: float = param(
        0.9,
        Share(
            N_("Precision"),
            N_("Of what is taken for the class, the share that belongs to it."),
            low=_LOW,
            high=1,
        ),
    )
    recall: float = param(
        0.3, Share(N_("Recall"), N_("Of the class, the share that is found."), low=_LOW, high=1)
    )

    def case(self, draws: erratum.Draws) -> erratum.Case:
        mean, f1 = self.average(self.recall), self.harmonic(self.recall)
        values = {
            "precision": Num(self.precision),
            "recall": Num(self.recall),
            "mean": Num(float(mean)),
            "f1": Num(float(f1)),
        }
        figure = erratum.compared(
            self,
            draws,
            "f1",
            say("F1 by recall"),
            erratum.Along("recall", Axis(say("recall"), range=(0.0, 1.0)), _LOW, 1.0, 100),
            Axis(say("score"), range=(0.0, 1.05)),
            self.average,
            self.harmonic,
            say("at precision {precision}", precision=Num(self.precision)),
            source="van Rijsbergen 1979, Information Retrieval",
        )
        return erratum.Case(
            "good" if self.precision == self.recall else "warn",
            values,
            (erratum.Row("f1", say("F1"), values["mean"], values["f1"]),),
            (figure,),
        )

    def average(self, recall: Array | float) -> Array:
        """The mean of precision and recall; shape of `recall`."""
        return np.asarray((self.precision + np.asarray(recall)) / 2)

    def harmonic(self, recall: Array | float) -> Array:
        """2PR/(P + R); shape of `recall`."""
        r = np.asarray(recall)
        return np.asarray(2 * self.precision * r / (self.precision + r))
