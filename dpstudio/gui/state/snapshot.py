"""One state of the program: a value, of which the history keeps many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dpstudio.data.codebook import EMPTY, Codebook
from dpstudio.labs import LABS, Lab
from dpstudio.labs.naming import lab_kind


@dataclass(frozen=True)
class Snapshot:
    """The labs that are not as they start, which one is open, and what is known of the table from
    outside it. A lab that is not held is as it starts: it is imported when it is asked for."""

    labs: tuple[Lab, ...]
    active: str
    codebook: Codebook = EMPTY

    @property
    def lab(self) -> Lab:
        return self.held(self.active)

    def held(self, key: str) -> Lab:
        """A lab as it is set."""
        return next((lab for lab in self.labs if lab.key == key), None) or lab_kind(key)()

    def with_lab(self, lab: Lab) -> Snapshot:
        """This state with a lab as it is set now."""
        return replace(self, labs=changed((*self.labs, lab)))


def changed(labs: Iterable[Lab]) -> tuple[Lab, ...]:
    """Those that are not as they start, of each the last, in an order of their own: two states with
    equal labs are equal."""
    last = {lab.key: lab for lab in labs}
    return tuple(last[key] for key in sorted(last) if last[key] != type(last[key])())


def first_state() -> Snapshot:
    """The first lab of the catalogue, as it starts."""
    return Snapshot((), LABS[0].key)


def state_from(labs: tuple[Lab, ...], active: str, codebook: Codebook = EMPTY) -> Snapshot:
    """A state with these labs, the rest as they start."""
    return Snapshot(changed(labs), active, codebook)
