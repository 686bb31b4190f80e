"""Graphical models of many marginals (AIM, MST), as OpenDP has them: an extra."""

from collections.abc import Iterator

import numpy as np

from dpstudio.labs.whole_tables.synthesis.ways import way
from dpstudio.labs.whole_tables.synthesis.ways.way import (
    Claim,
    SynthesisFacts,
    SyntheticTable,
    Task,
    Way,
)
from dpstudio.privacy.mechanisms.additive import DELTA
from dpstudio.privacy.mechanisms.concentrated import concentrated_rho
from dpstudio.privacy.synthetic.chance import Chance
from dpstudio.privacy.synthetic.graphical import COMMAND, modelled, there
from dpstudio.values.fields import choice
from dpstudio.values.messages import N_, Message, of_library, plain, say
from dpstudio.values.parameters import ParamError, param

ALGORITHMS = {
    "aim": N_("AIM: pairs one after the other, as long as it takes"),
    "mst": N_("MST: a tree of pairs"),
}


class Graphical(Way):
    """The line to reach: marginals that are chosen and counted by OpenDP, and the graphical model
    that fits them best."""

    key = "graphical"
    label = N_("Graphical model (AIM of OpenDP)")
    ink = "permute_flip"
    source = "McKenna, Mullins, Sheldon & Miklau 2022 (AIM); ρ: Canonne et al. 2020"
    quick = False
    stays = N_(
        "This table cannot be published: OpenDP chooses pairs by scores in floating point, and its "
        "proof does not pay for their rounding. Choose “A tree of pairs (MST)”, which chooses and "
        "counts exactly."
    )

    algorithm: str = choice(
        "aim", N_("Algorithm"), N_("Which marginals are counted, and when."), options=ALGORITHMS
    )
    delta: float = param(1e-6, DELTA)

    def refusal(self, known: SynthesisFacts) -> Message | None:
        if there():
            return None
        text = N_(
            "AIM is made by OpenDP and mbi, which are not installed. “{command}” installs them; "
            "choose another way until then."
        )
        return say(text, command=plain(COMMAND))

    def claim(self, known: SynthesisFacts) -> Claim:
        text = N_(
            "OpenDP chooses and counts marginals, with noise of its own exact samplers; the rest "
            "is fitted to these counts."
        )
        return way.concentrated(known, self.delta, say(text))

    def steps(
        self,
        task: Task,
        known: SynthesisFacts,
        chance: Chance,
        rng: np.random.Generator,
        rounds: int,
    ) -> Iterator[SyntheticTable]:
        rho = concentrated_rho(known.epsilon, self.delta)
        given = task.codes, known.sizes, rho, self.algorithm, known.rows, known.steps
        try:
            codes = modelled(*given, task.alive, task.told)
        except RuntimeError as error:
            text = N_("OpenDP cannot make this table: {why}. Choose another way.")
            raise ParamError("way", say(text, why=of_library(error))) from error
        yield SyntheticTable(codes, (None,) * len(known.axes))
