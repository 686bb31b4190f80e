"""The rows that Compress projects, with both labels: of the table, of handwritten digits, or of
synthetic faces."""

from dataclasses import dataclass, replace

import numpy as np

from dpstudio.charts.figure import Array, array
from dpstudio.data.column_roles import describing
from dpstudio.data.dataset import Dataset
from dpstudio.data.features import Rows, Sample, one_hot, sample_of
from dpstudio.data.memory import Sized
from dpstudio.data.pixels import picture_shape, pixels_of
from dpstudio.labs.whole_tables.compress import parameters
from dpstudio.privacy.compression.digits import SIDE as DIGIT_SIDE
from dpstudio.privacy.compression.digits import digits
from dpstudio.privacy.compression.faces import LIGHTS, MOODS, SIDE, album
from dpstudio.privacy.compression.scatter import Codes, Sums, span, sums_of
from dpstudio.values.messages import N_, Message, Num, say
from dpstudio.values.parameters import ParamError

_WHITE = 255  # a pixel of a photograph; digits of a table are ink on paper
CLASSES_MOST, RANK_MOST, LEAST_ROWS = 40, 400, 40


@dataclass(frozen=True)
class Label:
    """What is told of a row: what it is called, and its classes."""

    name: Message | str
    words: tuple[Message | str, ...]


@dataclass(frozen=True, eq=False)
class Held(Sized):
    """Rows (n, p) of numbers in [−1, 1] of length at most `length`, their utility and privacy
    labels as codes, and what these are. Pictures have a `shape` (rows, columns of pixels). `most`
    rows are of one person, `whose` (n,) says whose each is where that is not a row each. `made`
    ones are nobody's; `bright` pictures are light before a dark ground."""

    x: Array
    length: float
    codes: tuple[Codes, Codes]
    labels: tuple[Label, Label]
    shape: tuple[int, int] | None = None
    whose: Rows | None = None
    most: int = 1
    left_out: int = 0
    unattested: tuple[str, ...] = ()
    made: bool = False
    bright: bool = False

    @property
    def coded(self) -> tuple[tuple[Codes, int], tuple[Codes, int]]:
        """Both labels with how many classes there are."""
        one, two = (
            (codes, len(label.words)) for codes, label in zip(self.codes, self.labels, strict=True)
        )
        return one, two


@dataclass(frozen=True, eq=False)
class Space(Sized):
    """The same rows along the directions in which they vary: `z` (n, r) about the mean (p,), along
    the columns of `basis` (p, r), with their sums."""

    mean: Array
    basis: Array
    z: Array
    sums: Sums

    @property
    def rank(self) -> int:
        """r, beyond which no direction tells anything."""
        return int(self.basis.shape[1])


def held_of(lab: parameters.Compress, data: Dataset) -> Held:
    """The rows of a state, remembered. Raises ParamError at “features”, “utility” or “privacy”."""
    points, seed = lab.points, lab.seed
    if isinstance(points, parameters.TableRows):
        return data.remember(("compress rows", points), lambda: _of_table(points, data))
    if isinstance(points, parameters.Faces):
        return data.remember(("compress rows", points, seed), lambda: _of_faces(points, seed))
    assert isinstance(points, parameters.Digits)
    return data.remember(("compress rows", points), _of_digits)


def space_of(lab: parameters.Compress, data: Dataset) -> Space:
    """Their coordinates, remembered. Raises ParamError as `held_of` does."""
    made = not isinstance(lab.points, parameters.TableRows)
    held = held_of(lab, data)

    def turned() -> Space:
        mean, basis, z = span(held.x)
        return Space(array(mean), array(basis), array(z), sums_of(z, held.coded))

    return data.remember(("compress space", lab.points, lab.seed if made else 0), turned)


def columns_of(points: parameters.TableRows, data: Dataset) -> tuple[str, ...]:
    """The columns that are named, or else the pixels where there are any, or else all but the
    labels that a model can take."""
    if points.features:
        return points.features
    labels = (points.utility, points.privacy)
    pixels = pixels_of(c.name for c in data.columns if c.numeric)
    if pixels and not {*labels} & {*pixels}:
        return pixels
    usable = (
        c.name
        for c in data.columns
        if c.name not in labels
        and c.type != "other"
        and data.missing(c.name) < data.rows
        and (c.numeric or not data.more_than(c.name, CLASSES_MOST))
    )
    return tuple(describing(data, usable))


def fits_as_label(data: Dataset, name: str) -> bool:
    """Whether a column has two classes at least and few enough."""
    if not data.has(name) or data.info(name).type == "other":
        return False
    return data.more_than(name, 1) and not data.more_than(name, CLASSES_MOST)


def _of_table(points: parameters.TableRows, data: Dataset) -> Held:
    for field in ("utility", "privacy"):
        if not fits_as_label(data, getattr(points, field)):
            text = N_("“{column}” is no label of 2 to {most} classes here. Choose another column.")
            name = getattr(points, field)
            raise ParamError(field, say(text, column=name, most=Num(CLASSES_MOST)))
    names = columns_of(points, data)
    told, hidden = (_sample(data, names, points, at) for at in ("utility", "privacy"))
    both = hidden.kept[told.kept]
    assert told.label is not None
    assert hidden.label is not None
    kept = told.kept & hidden.kept
    return Held(
        array(np.clip(one_hot(told)[both], -1, 1)),
        float(np.sqrt(len(names))),
        (told.y[both].astype(np.int64), hidden.y[told.kept[hidden.kept]].astype(np.int64)),
        _labels(Label(points.utility, told.label.words), Label(points.privacy, hidden.label.words)),
        picture_shape(names) if not any(f.words for f in told.features) else None,
        None if told.whose is None else told.whose[kept],
        told.most,
        int(data.rows - np.count_nonzero(kept)),
        # Labels only sort what is projected: their words are part of no release.
        tuple(f.name for f in told.features if not f.attested),
        bright=data.documented.about(names[0]).high == _WHITE if names else False,
    )


def _sample(
    data: Dataset, names: tuple[str, ...], points: parameters.TableRows, field: str
) -> Sample:
    try:
        return sample_of(data, names, getattr(points, field), classes=True)
    except ParamError as error:
        where = field if error.field == "label" else "features"
        raise ParamError(where, error.sentence) from None


def _labels(one: Label, two: Label) -> tuple[Label, Label]:
    """Both; where they are one, the second is called what attackers are after."""
    same = one == two
    return one, replace(two, name=say("{label} (attacked)", label=two.name)) if same else two


def _of_digits() -> Held:
    x, digit = digits()
    words = tuple(str(c) for c in range(10))
    odd = Label(say("odd or even"), (say("even"), say("odd")))
    return Held(
        array(2 * x - 1),
        float(DIGIT_SIDE),
        (digit % 2, digit),
        (odd, Label(say("the digit"), words)),
        (DIGIT_SIDE, DIGIT_SIDE),
        made=True,
    )


def _of_faces(points: parameters.Faces, seed: int) -> Held:
    made = album(points.people, points.each, points.light, seed)
    words: dict[str, tuple[Message | str, ...]] = {
        "who": tuple(f"{c + 1}" for c in range(points.people)),
        "mood": tuple(map(Message, MOODS)),
        "light": tuple(map(Message, LIGHTS)),
    }
    codes = {"who": made.who, "mood": made.mood, "light": made.light}
    asked = points.utility, points.privacy
    one, two = (Label(Message(parameters.LABELS[name]), words[name]) for name in asked)
    return Held(
        array(2 * made.x - 1),
        float(SIDE),
        (codes[asked[0]], codes[asked[1]]),
        _labels(one, two),
        (SIDE, SIDE),
        made=True,
        bright=True,
    )
