"""Where each line of the composition lab's list begins and ends as it spends ε by adding up."""

from dataclasses import dataclass, replace

from dpstudio.labs.release_list import Entry, Line, Parts, lines


@dataclass(frozen=True)
class Stretch:
    """From where to where a line of the list spends ε by adding up. `key` tells entry and part;
    `line` counts all its answers."""

    key: str
    low: float
    high: float
    line: Line


def stretches(entries: tuple[Entry, ...], touched: int) -> tuple[tuple[Stretch, ...], float]:
    """Every line with what it spends, and what all spend: entries one after another, parts of one
    pair of brackets from the same place on, of which as many count as one person may touch (Dwork &
    Roth 2014, Theorem 3.16; McSherry 2009, Theorem 4)."""
    start, made = 0.0, []
    for place, entry in enumerate(entries):
        repeats = entry.times if isinstance(entry, Parts) else 1
        costs = []
        for part, line in enumerate(lines(entry)):
            costs.append(line.times * line.epsilon * repeats)
            whole = replace(line, times=line.times * repeats, locked=entry.locked)
            made.append(Stretch(f"{place}_{part}", start, start + costs[-1], whole))
        start += sum(sorted(costs)[-touched:])
    return tuple(made), start
