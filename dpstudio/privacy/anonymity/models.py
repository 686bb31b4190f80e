"""What a class must be to be published: k-anonymity, l-diversity, t-closeness. Each is a rule on
the counts of the sensitive values of a class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpstudio.charts.figure import Array

Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Rule(Protocol):
    """A rule of a class; `kept` judges many at once by their counts, shape (classes, values)."""

    def kept(self, counts: Counts) -> Mask:
        """Whether each class keeps the rule, shape (classes,)."""
        ...

    @property
    def monotone(self) -> bool:
        """Whether a class made of two that keep the rule keeps it."""
        ...

    @property
    def upward(self) -> bool:
        """Whether a class made of one that keeps the rule and one that does not keeps it: what
        search with suppressed rows needs."""
        ...


@dataclass(frozen=True)
class KAnonymity:
    """At least k rows (Samarati & Sweeney 1998; Sweeney 2002, Definition 3)."""

    k: int

    def kept(self, counts: Counts) -> Mask:
        """As `Rule` says."""
        return np.asarray(counts.sum(1) >= self.k)

    @property
    def monotone(self) -> bool:
        """Yes: sizes add up."""
        return True

    @property
    def upward(self) -> bool:
        """Yes: sizes only grow."""
        return True


def distinct(counts: Counts) -> Counts:
    """How many sensitive values each class has, shape (classes,)."""
    return np.asarray(np.count_nonzero(counts, axis=1), dtype=np.int64)


@dataclass(frozen=True)
class DistinctDiversity:
    """At least l sensitive values (Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam 2007)."""

    l: int

    def kept(self, counts: Counts) -> Mask:
        """As `Rule` says."""
        return np.asarray(distinct(counts) >= self.l)

    @property
    def monotone(self) -> bool:
        """Yes: values join."""
        return True

    @property
    def upward(self) -> bool:
        """Yes: values only join."""
        return True


def entropy(counts: Counts) -> Array:
    """Σ −p ln p of each class, in nat, shape (classes,); 0 for an empty one."""
    p = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    return np.asarray(-np.sum(np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0.0), axis=1))


@dataclass(frozen=True)
class EntropyDiversity:
    """Entropy of at least ln l (Machanavajjhala et al. 2007, Definition 4.1), l ≥ 1 a real
    number."""

    l: float

    def kept(self, counts: Counts) -> Mask:
        """As `Rule` says. An even spread over l values keeps it, whatever rounding does."""
        return np.asarray(entropy(counts) >= math.log(self.l) - 1e-12)

    @property
    def monotone(self) -> bool:
        """Yes where both classes keep it: entropy is concave, so that of a mixture is at least the
        smaller of the two (Theorem 4.1)."""
        return True

    @property
    def upward(self) -> bool:
        """No: of entropies 2.0 and 1.0 bit comes 1.75."""
        return False


@dataclass(frozen=True)
class RecursiveDiversity:
    """r₁ < c (r_l + … + r_m), r the counts of a class, largest first (Machanavajjhala et al. 2007,
    Definition 4.2)."""

    c: float
    l: int

    def kept(self, counts: Counts) -> Mask:
        """As `Rule` says."""
        down = -np.sort(-counts, axis=1)
        return np.asarray(down[:, :1].sum(1) < self.c * down[:, self.l - 1 :].sum(1))

    @property
    def monotone(self) -> bool:
        """Yes (Machanavajjhala et al. 2007)."""
        return True

    @property
    def upward(self) -> bool:
        """No: a common value may join."""
        return False


def ordered_distance(p: Array, q: Array) -> Array:
    """Earth mover's distance of rows of p to q, values in an order one step apart: Σ|cumulated
    p − q|/(m − 1) (Li, Li & Venkatasubramanian 2007); shape (rows,), from 0 to 1."""
    m = len(q)
    apart = np.abs(np.cumsum(p - q, axis=-1))[..., : m - 1]
    return np.asarray(apart.sum(-1) / (m - 1)) if m > 1 else np.zeros(p.shape[:-1])


def equal_distance(p: Array, q: Array) -> Array:
    """The same where any two values are 1 apart: ½Σ|p − q|, the total variation (section 4.2)."""
    return np.asarray(np.abs(p - q).sum(-1) / 2)


def divergence(p: Array, q: Array) -> Array:
    """The Kullback–Leibler divergence of rows of p from q, Σ p ln(p/q) in nats; infinite where p
    holds what q does not."""
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(p > 0, p * np.log(p / q), 0.0)
    return np.asarray(np.maximum(parts.sum(-1), 0.0))


@dataclass(frozen=True)
class Branch:
    """A node of a hierarchy of the sensitive values: `leaves` below it, `height` of its subtree,
    and its children."""

    leaves: tuple[int, ...]
    height: int
    children: tuple[Branch, ...] = ()


def hierarchical_distance(p: Array, q: Array, root: Branch) -> Array:
    """The same where two values are as far apart as their lowest common ancestor is high, over the
    height of the root: Σ over inner nodes of height/H · min(what its children have too much, what
    they have too little) (section 4.2)."""
    extra = p - q
    total = np.zeros(p.shape[:-1])

    def walk(node: Branch) -> Array:
        if not node.children:
            return np.asarray(extra[..., list(node.leaves)].sum(-1))
        below = np.stack([walk(child) for child in node.children])
        over, under = np.maximum(below, 0).sum(0), np.maximum(-below, 0).sum(0)
        nonlocal total
        total = total + node.height / root.height * np.minimum(over, under)
        return np.asarray(below.sum(0))

    walk(root)
    return total


ORDERED, EQUAL, PRINTED = "ordered", "equal", "printed"


@dataclass(frozen=True)
class TCloseness:
    """Each class's shares lie within t of `overall`, shape (values,), by the earth mover's distance
    of a ground that is "ordered" or "equal", or by the hierarchy in `root`; what nobody has is no
    step of an order, since who left out has it would tell. "printed" is the
    largest single difference, max |p − q|, which an introductory book calls t-closeness. A class
    without any value is as near as can be: it tells nothing."""

    t: float
    overall: tuple[float, ...]
    ground: str = EQUAL
    root: Branch | None = None

    def distances(self, counts: Counts) -> Array:
        """How far each class is, shape (classes,), from 0 to 1."""
        q, rows = np.array(self.overall), counts.sum(1, keepdims=True)
        p = np.where(rows > 0, counts / np.maximum(rows, 1), q)
        if self.root is not None:
            return hierarchical_distance(p, q, self.root)
        if self.ground == PRINTED:
            return np.asarray(np.abs(p - q).max(-1, initial=0.0))
        if self.ground == ORDERED:
            return ordered_distance(p[:, q > 0], q[q > 0])
        return equal_distance(p, q)

    def kept(self, counts: Counts) -> Mask:
        """As `Rule` says."""
        return np.asarray(self.distances(counts) <= self.t + 1e-12)

    @property
    def monotone(self) -> bool:
        """Yes where both classes keep it: the distance is convex (Li et al. 2007)."""
        return True

    @property
    def upward(self) -> bool:
        """No: a far class pulls a near one away."""
        return False


@dataclass(frozen=True)
class OfValues:
    """A rule on the values that rows tell, the first `values` of the counts. One that is missing,
    which is counted behind them, is no value: it makes no class diverse and brings none nearer,
    since whoever finds the class knows that it is not the true one (the l-diversity principle of
    Machanavajjhala et al. 2007 asks for values that are well represented)."""

    rule: Rule
    values: int

    def kept(self, counts: Counts) -> Mask:
        """As `Rule` says."""
        return self.rule.kept(counts[:, : self.values])

    @property
    def monotone(self) -> bool:
        """Where that rule is: missing values join, and count nowhere."""
        return self.rule.monotone

    @property
    def upward(self) -> bool:
        """Where that rule is."""
        return self.rule.upward


@dataclass(frozen=True)
class All:
    """Several rules at once."""

    rules: tuple[Rule, ...]

    def kept(self, counts: Counts) -> Mask:
        """As `Rule` says."""
        out = np.ones(len(counts), dtype=np.bool_)
        for rule in self.rules:
            out &= rule.kept(counts)
        return out

    @property
    def monotone(self) -> bool:
        """Where each of them is."""
        return all(rule.monotone for rule in self.rules)

    @property
    def upward(self) -> bool:
        """Where each of them is."""
        return all(rule.upward for rule in self.rules)


def upward_part(rule: Rule) -> Rule | None:
    """The part of a rule that a class keeps in any company, None where it has none: who breaks it
    breaks the rule, and so do all classes within."""
    if isinstance(rule, All):
        parts = tuple(each for each in rule.rules if each.upward)
        return All(parts) if parts else None
    return rule if rule.upward else None


def among(rule: Rule, counts: Counts) -> Rule:
    """The rule where classes of these counts are all that is published: t-closeness compares with
    the table that is released (Li, Li & Venkatasubramanian 2007); itself where it looks at one
    class alone."""
    if isinstance(rule, All):
        parts = tuple(among(each, counts) for each in rule.rules)
        same = all(new is old for new, old in zip(parts, rule.rules, strict=True))
        return rule if same else All(parts)
    if isinstance(rule, OfValues):
        part = among(rule.rule, counts[:, : rule.values])
        return rule if part is rule.rule else OfValues(part, rule.values)
    if isinstance(rule, TCloseness):
        held = counts.sum(0)
        return replace(rule, overall=tuple((held / max(held.sum(), 1)).tolist()))
    return rule


def shares(sensitive: NDArray[np.int64], values: int) -> tuple[float, ...]:
    """The overall shares of the sensitive values, what t-closeness compares with."""
    counts = np.bincount(sensitive, minlength=values)
    return tuple((counts / max(counts.sum(), 1)).tolist())


def branch(levels: Sequence[Sequence[int]], at: int | None = None) -> Branch:
    """The tree of a hierarchy. `levels[h][v]` is the ancestor of value v at height h, the values
    themselves at height 0, a single ancestor at the top. ValueError where a level splits what a
    lower one joined."""
    top = len(levels) - 1 if at is None else at
    return _branches(levels, top, tuple(range(len(levels[0]))))[0]


def _branches(
    levels: Sequence[Sequence[int]], height: int, values: tuple[int, ...]
) -> tuple[Branch, ...]:
    groups: dict[int, list[int]] = {}
    for value in values:
        groups.setdefault(levels[height][value], []).append(value)
    if height == 0:
        return tuple(Branch(tuple(leaves), 0) for leaves in groups.values())
    made = []
    for leaves in groups.values():
        below = _branches(levels, height - 1, tuple(leaves))
        made.append(Branch(tuple(leaves), height, below))
    if height == len(levels) - 1 and len(made) != 1:
        raise ValueError("the top of a hierarchy is one value for all")
    return tuple(made)
