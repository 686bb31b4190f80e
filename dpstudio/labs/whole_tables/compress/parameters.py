"""Compress: rows projected on a few directions, and two labels that can still be told from them."""

from dpstudio.data.pixels import picture_shape
from dpstudio.labs import shared_parameters as shared
from dpstudio.labs.page import Lab
from dpstudio.labs.whole_tables.compress import ABOUT
from dpstudio.privacy.compression.projections import PROJECTIONS, Dca, Projection
from dpstudio.privacy.learning.ways import WAYS, GaussianMatrix, Way
from dpstudio.values.fields import choice, integer, real
from dpstudio.values.lists import WordLines
from dpstudio.values.messages import N_
from dpstudio.values.parameters import Column, OneOf, Parameters, Several, param

K_MOST, LEAST_SPLITS = 400, 20
LABELS = {"who": N_("who it is"), "mood": N_("the mood"), "light": N_("the light")}
VIEWS = {"rows": N_("rows and attackers"), "printed": N_("the printed formulas")}
SCORES = {"rows": N_("all rows"), "classes": N_("classes alike")}
# Attackers that are learnt from sums alone, for all splits at once.
QUICK = {
    "inverse": N_("minimum-norm inverse"),
    "centre": N_("nearest centre"),
    "decoder": N_("trained decoder"),
    "linear": N_("linear rule"),
}
# Those that are learnt from rows.
SLOW = {"neighbours": N_("nearest neighbours"), "logistic": N_("logistic")}


class Points(Parameters):
    """Base of where the rows come from."""

    @property
    def one_label(self) -> bool:
        """Whether what is to be told is what attackers are after."""
        return getattr(self, "utility", 0) == getattr(self, "privacy", 1)


class TableRows(Points):
    """The rows of the table: numbers scaled by public bounds, words as columns of 0 and 1."""

    key = "table"
    label = N_("Rows of the table")

    features: tuple[str, ...] = param(
        (
            "age",
            "workclass",
            "education-num",
            "marital-status",
            "occupation",
            "relationship",
            "capital-gain",
            "capital-loss",
            "hours-per-week",
        ),
        WordLines(
            N_("Columns"),
            N_("What is projected, one column a line."),
            empty=N_("all columns but the labels"),
            purpose="feature",
        ),
    )
    utility: str = param(
        "income",
        Column(N_("To be told"), N_("The label that the projection is for."), purpose="label"),
    )
    privacy: str = param(
        "sex",
        Column(N_("To be hidden"), N_("The label that an attacker is after."), purpose="sensitive"),
    )


class Digits(Points):
    """Handwritten digits, of which nothing but odd or even is to be told."""

    key = "digits"
    label = N_("Handwritten digits")
    source = "Alpaydin & Kaynak 1998"


class Faces(Points):
    """Small synthetic faces under a light that is in the way, made from the seed."""

    key = "faces"
    label = N_("Synthetic faces")

    utility: str = choice(
        "mood", N_("To be told"), N_("What the projection is for."), options=LABELS
    )
    privacy: str = choice(
        "who", N_("To be hidden"), N_("What an attacker is after."), options=LABELS
    )
    people: int = integer(15, N_("People"), N_("How many people there are."), low=2, high=40)
    each: int = integer(40, N_("Pictures of each"), N_("Of one person."), low=10, high=100)
    light: float = real(
        0.8,
        N_("Light"),
        N_("How much of a face is dark where light comes from a side."),
        low=0.0,
        high=1.0,
        percent=True,
    )


class Compress(Lab, about=ABOUT):
    """A projection for one label, and how much of another attackers tell from it, by the number of
    directions."""

    points: Points = param(
        TableRows(), OneOf(N_("Rows"), family=lambda: [TableRows, Digits, Faces], apart=True)
    )
    way: Projection = param(Dca(), OneOf(N_("Projection"), family=lambda: PROJECTIONS))
    k: int = integer(
        3,
        N_("Directions K"),
        N_("How many numbers of each row are released."),
        low=1,
        high=K_MOST,
        log=True,
        own=True,
        in_caption=True,
        leads=True,
    )
    drawn: tuple[str, ...] = param(
        tuple(kind.key for kind in PROJECTIONS),
        Several(
            N_("Compared"),
            N_("Which projections are drawn beside each other."),
            options=lambda: {kind.key: kind.label for kind in PROJECTIONS},
        ),
        look=True,
        beside="way",
        own=True,
    )
    attacker: str = choice(
        "linear",
        N_("Attacker"),
        N_("Who is after the hidden label in the large chart; another shows all of them."),
        options=QUICK,
        own=True,
        in_caption=True,
    )
    score: str = choice(
        "rows",
        N_("Accuracy over"),
        N_(
            "Of all rows; or of each class, then averaged, where always saying one class tells "
            "nothing."
        ),
        options=SCORES,
        own=True,
        in_caption=True,
    )
    mechanism: Way = param(
        GaussianMatrix(),
        OneOf(N_("Private beside it"), family=lambda: [way for way in WAYS if way.matrix]),
    )
    adjacency: str = shared.adjacency()
    view: str = choice(
        "rows",
        N_("Look at"),
        N_("Which charts wait behind the large one."),
        options=VIEWS,
        look=True,
        own=True,
        active_when=("shown", True),
    )
    picture: int = integer(
        0,
        N_("Row"),
        N_("Whose picture is drawn, counted from 0."),
        low=0,
        high=999_999,
        look=True,
        active_when=("pictured", True),
    )
    splits: int = shared.trials(
        LEAST_SPLITS,
        N_("How often rows are split into those to learn from and to test with."),
        LEAST_SPLITS,
        200,
        N_("Splits"),
    )
    seed: int = shared.seed(N_("The same seed makes the same splits, noise and faces."))
    show_truth: bool = shared.show_truth(
        N_("Hides all scores on this screen: they are exact."),
        N_("Show exact scores"),
        plays=("of_table", True),
    )

    @property
    def method(self) -> Projection:
        """The projection."""
        return self.way

    @property
    def shown(self) -> bool:
        """Whether what comes from the rows may be shown: made-up ones are nobody's."""
        return self.show_truth or not self.of_table

    @property
    def of_table(self) -> bool:
        """Whether the rows are those of the table; made-up ones are nobody's."""
        return isinstance(self.points, TableRows)

    @property
    def pictured(self) -> bool:
        """Whether rows may be pictures: of a table, where no columns or its pixels are named."""
        points = self.points
        named = isinstance(points, TableRows) and points.features
        return not named or picture_shape(named) is not None
