"""As printed in the texts: local naive Bayes in which every person answers everything, each answer
with the whole ε. For comparison only.

Besides the own class a person sends for every feature and every class a report: the own word where
the class is the own one, else a word drawn at random, whose share the collector subtracts.
"""

import math

import numpy as np
from numpy.typing import NDArray

from dpstudio.privacy.learning.local_bayes import estimated
from dpstudio.privacy.learning.naive_bayes import Model, Numbers, Shape, model_from
from dpstudio.privacy.local.direct import Direct
from dpstudio.privacy.local.protocol import Protocol


def printed_reports(shape: Shape) -> int:
    """How many reports of ε each a person sends: one of every feature and class, and one of the
    class. By adding up so many times ε are spent."""
    return len(shape.words) * shape.classes + 1


def printed_epsilon(protocol: Protocol, shape: Shape) -> float:
    """The ε that these reports together really spend, exactly: less than adding up says, since the
    random words of other classes are noise as well, and far more than one ε.

    Two rows of one class differ in one report a feature, by what it spends, e^ε. Of two classes
    the reports of both differ for each feature, each between a word and a mixture of all w of them.
    With direct encoding the mixture is uniform and the two ratios, wp and 1/wq, multiply to p/q =
    e^ε as well; bits, or noise on each word, reach we^ε/(e^ε + w − 1) and (e^ε(w − 1) + 1)/w. Own
    derivation; tests go through all reports.
    """
    whole = protocol.spent(shape.classes)
    for size in (shape.sizes[i] for i in shape.words):
        if size == 1:
            continue  # who has but one word to say says nothing
        own = protocol.spent(size)
        less = math.exp(-own)
        apart = math.log((size - 1 + less) / (1 + (size - 1) * less))
        whole += own if isinstance(protocol, Direct) else own + apart
    return whole


def as_printed(
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    shape: Shape,
    protocol: Protocol,
    rng: np.random.Generator,
    seeds: int,
) -> Model:
    """The models of simulated surveys as printed, one a seed, of people with words x (n, m) and
    classes y (n,); counts below 1 are taken for 1."""
    n, c = len(y), shape.classes
    members = np.bincount(y, minlength=c)
    told = np.broadcast_to(members, (seeds, c))
    classes = np.maximum(estimated(protocol, rng, told), 1.0)
    chances: list[Numbers] = []
    for i in shape.words:
        w = shape.sizes[i]
        held = np.bincount(y * w + x[:, i], minlength=c * w).reshape(c, w)
        random = rng.multinomial(n - members, np.full(w, 1 / w), size=(seeds, c))
        sent = estimated(protocol, rng, (held + random).reshape(-1, w)) if w > 1 else held + random
        found = sent.reshape(seeds, c, w) - (n - classes[..., None]) / w
        found = np.maximum(found, 1.0)
        chances.append(found / found.sum(axis=-1, keepdims=True))
    none = np.zeros((seeds, c, 0))
    priors = classes / classes.sum(axis=-1, keepdims=True)
    return model_from(priors, none, none, np.concatenate(chances, axis=-1))
