"""Scripts: of every lab they give the numbers of its page, by another way, and hold no row."""

import ast
import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn import some as some_of
from drawn import whole
from random_states import random_state
from running import speaking
from scripts import checked, in_chinese, made_apart, made_here, own_table, shown, small_table, swift

from dpstudio import cli
from dpstudio.data.codebook import MERGED, About
from dpstudio.data.conditions import Test, Where
from dpstudio.data.dataset import Dataset
from dpstudio.data.proposed_condition import proposed_condition
from dpstudio.files.asking import open_as_told
from dpstudio.files.language import CHINESE, tr
from dpstudio.files.tables import open_table
from dpstudio.files.write.notebook import notebook
from dpstudio.files.write.script import OPENDP, PYTHON, python_script, script_of
from dpstudio.labs.naming import every_lab
from dpstudio.labs.one_answer.explore.parameters import Explore
from dpstudio.labs.page import Lab
from dpstudio.labs.promise.printed.listings import ERRATA
from dpstudio.labs.scripting.scripted import NoScript
from dpstudio.labs.worded import lab_of_words
from dpstudio.privacy.queries.count import Count
from dpstudio.privacy.queries.histogram import Histogram
from dpstudio.privacy.queries.several import Counts
from dpstudio.values.messages import render
from dpstudio.values.parameters import put

# Of each lab, at random, one of them in the suite; the soak tries more, each in a process of its own.
STATES = range(4)
# States in which a branch of a script differs, by the words of a call.
OF_ANSWERS = (
    "explore mechanism=gaussian answers=1 query=sum",
    "explore query=sum query.low=0 query.high=90 adjacency=replace answers=40",
    "explore query=mean query.column=hours-per-week answers=20",
    "explore query=variance mechanism=staircase adjacency=replace answers=3",
    "explore query=grouped mechanism=gaussian adjacency=replace part=-1",
    "explore query=counts mechanism=l2norm post_processing=clamp",
    "explore query=histogram query.column=sex largest=true post_processing=both",
    "explore query=contingency mechanism=catastrophe answers=30",
    "explore query=covariance mechanism=gaussian adjacency=replace answers=3",
    "compare query=covariance query.repair=false",
    "compare query=deviation measure=rmse",
    "compare query=histogram largest=true measure=half_width",
    "sensitivity query=sum adjacency=replace",
    "selection query=quantile mechanism=noisy_max",
    "selection query=typed mechanism=permute_flip",
    "selection query=most_met monotone=false mechanism=noisy_max mechanism.noise=gumbel",
    "dimension measure=largest growth=two k=40",
    "averaging mechanism=catastrophe answers=30",
    "clipping column=age where=sex=Female mechanism.epsilon=5 choose=noisy grid=equal",
    "clipping column=age moving=both mechanism=gaussian adjacency=replace centred=true",
    "clipping statistic=sum mechanism=geometric column=age moving=lower grid_low=9",
    "clipping statistic=variance column=age adjacency=replace n_public=true mechanism=textbook",
    "clipping statistic=variance column=age sampling=false mechanism=gaussian",
    "clipping statistic=mean column=age adjacency=replace n_public=true mechanism=staircase",
    "composition mechanism=gaussian bounds=drv|kov35|zcdp|gdp",
    "composition mechanism=catastrophe answers=500 bounds=tanh|kov33",
    "composition mechanism=geometric answers=90 bounds=tanh|optimal|renyi",
    "composition mechanism=laplace mechanism.epsilon=0.7 answers=500 bounds=parallel|drv",
    "guarantee mechanism=geometric query=sum adjacency=replace false_positives=.3",
    "guarantee mechanism=catastrophe prior=.2",
)
OF_ATTACKS = (
    "differencing mechanism=gaussian query=sum attacker.row_of=4",
    "differencing mechanism=geometric query=sum query.column=education-num mechanism.epsilon=.3",
    *(
        f"differencing attacker=tracker attacker.policy={rule}"
        for rule in ("overlap", "audit", "rounding", "recoding", "suppression", "output")
    ),
    "reconstruction attacker=census attacker.step=3",
    "reconstruction mechanism=laplace attacker.people=30 attacker.questions=60",
    "reconstruction attacker.method=program attacker.people=20 attacker.questions=40",
    "membership mechanism=geometric query=sum query.column=education-num",
    "membership mechanism=gaussian adjacency=replace mechanism.epsilon=3",
    "membership mechanism=gaussian adjacency=replace query=histogram",
    "membership mechanism=gaussian query=contingency",
    "membership attacker=shadows attacker.private=steps",
    "linkage attacker=frequency attacker.column=education",
    "linkage attacker=linkage attacker.known=3",
    "audit subject=half_noise events=lines",
    "audit subject=mechanism subject.mechanism=textbook subject.dims=4 split=.3",
    "audit subject=mechanism subject.mechanism=geometric subject.dims=2",
    *(f"audit subject={each}" for each in ("ignored_epsilon", "many_answers", "two_coins")),
    *(f"audit subject={each} trials=9000" for each in ("one_coin", "short_shift")),
)

OF_PRINTED = tuple(
    f"printed erratum={each.key} view={view}"
    for place, each in enumerate(ERRATA)
    for view in ("both", ("printed", "corrected")[place % 2])
)

OF_NOBODY = (
    "survey observed=drawn asked=3 coins=warner coins.epsilon=.7",
    "survey coins=biased_coins coins.p=.3 observed.yes=.9",
    "room asked=option",
    "room asked=option asked.unary=true part=2 also=4",
    "room asked=number reports.by_answer=true",
    "local_counts query=count query.where=age>40 protocol=biased_coins",
    "local_counts query=count protocol=warner protocol.epsilon=1.0986122886681098 judged=all",
    "local_counts query.column=age protocol=hadamard judged=part part=3",
    "local_counts protocol=olh protocol.hashing=hand protocol.buckets=4 judged=all",
    "local_counts protocol=the protocol.threshold=hand protocol.theta=.7",
    "local_counts protocol=subset protocol.epsilon=.2",
    "local_means dims=5 protocol=duchi case=column measure=deviation",
    "local_means protocol=hybrid protocol.epsilon=6 more=education-num|capital-gain dims=3",
    "owners looks=asking looks.operation=order",
    "owners looks=sharing looks.features=age|occupation",
    "owners looks=sharing looks.scatter=scdo looks.bits=12",
    "owners looks=sharing looks.scatter=pca looks.bits=12",
    "local_learning numbers=frequency protocol=she",
    "local_learning numbers=gauss reports=all number=duchi",
    "local_learning numbers=gauss features=age|hours-per-week protocol=the",
    "local_learning protocol=the reports=all test=.4",
)

OF_MODELS = (
    "learn features=age|workclass|sex",
    "learn learner=least_squares adjacency=replace features=age|sex learner.firmness=0",
    "learn learner=logistic_output learner.about=500",
    "learn learner=logistic_output adjacency=replace features=age|sex",
    "learn split=last adjacency=replace learner.printed=budget",
    "learn predicts=education-num features=age|workclass",
    "clusters points=table points.features=age|education-num adjacency=replace",
    "clusters points=table points.features=age points.classes=hours-per-week",
    "clusters points=table",
    "clusters stepping=su start=spread split=even score=silhouette",
    "clusters score=ami split=printed",
    "components mechanism=laplace_matrix centred=false holder=many_owners",
    "components mechanism=noisy_power adjacency=replace",
    "components mechanism=exponential_subspace k=3",
    "components enough=0.999 mechanism.epsilon=0.01 mechanism.delta=1e-9",
)

OF_TABLES = (
    "risk among=age>40",
    "risk quasi=age|occupation",
    "rules rank=3 support=0.05",
    "anonymity algorithm.way=ties weights=age=3 quasi=age|sex|education",
    "anonymity algorithm.way=relaxed promise=l sensitive=education promise.sense=entropy",
    "anonymity promise=l sensitive=education promise.sense=recursive",
    "anonymity promise=t sensitive=education promise.ground=ordered",
    "anonymity promise=t sensitive=education promise.ground=printed",
    *(f"masking operation={each}" for each in ("swap", "permute", "top_code", "micro_aggregate")),
    "masking operation=micro_aggregate operation.rows=20",
    "masking operation=anatomy sensitive=education",
    "masking operation=suppress quasi=occupation|age",
    "masking operation=resample operation.columns=2",
    "masking operation=perturb operation.law=laplace operation.times=true",
    "plan adjacency=replace rows=2",
    "plan delta=0",
    'plan before=[{"kind":"sum","name":"s","column":"age","low":17,"high":90,"target":"400"}]',
    'plan after=[{"kind":"mean","name":"m","column":"age","high":99,"size":"900","target":"5"}]',
    'plan after=[{"kind":"count","name":"c","target":"5","spend":"0.1","noise":"laplace"}]',
    'plan before=[{"kind":"count","name":"a","target":"40","noise":"gaussian"}] '
    'after=[{"kind":"count","name":"c","target":"9","noise":"laplace"}]',
    "synthesis columns=age adjacency=replace size=typed missing=nowhere",
    "synthesis way=independent way.printed=twice way.repair=threshold columns=age|sex|race",
    "synthesis way=independent way.printed=one columns=age|sex",
    "synthesis way=one_table columns=sex|income way.printed=occurring low=0",
    "synthesis way=histogram way.repair=simplex",
    "compress way=pca attacker=decoder",
    "compress way=mdr",
    "compress way=lda score=classes points.privacy=race",
    "compress way=random k=5 points.utility=race attacker=centre",
    "decide query=mean adjacency=replace",
    "decide query=histogram adjacency=replace mechanism.epsilon=9",
    "decide query=grouped adjacency=replace",
    "decide query=counts",
    "decide query=sum adjacency=replace mechanism.epsilon=3",
    "stories story=differencing",
    "stories story=sequential",
    "stories story=parallel",
    "stories story=group story.people=100 story.epsilon=10",
    "stories story.answered_before=55100",
)

OF_SOME = (*OF_ANSWERS, *OF_ATTACKS, *OF_PRINTED)
BRANCHES: tuple[str, ...] = (*OF_SOME, *OF_NOBODY, *OF_MODELS, *OF_TABLES)


# Lab and seed.
LOTS = some_of([(kind, s) for kind in every_lab() for s in STATES], lambda lot: lot[0].key)
# Lab and which of two tables.
OWN = some_of([(kind, at) for kind in every_lab() for at in (0, 1)], lambda lot: lot[0].key)


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Some rows of Adult in a file of their own."""
    return small_table(tmp_path_factory.mktemp("some"))


def clean(texts: list[str], folder: Path) -> None:
    """Ruff has nothing to say of these scripts."""
    for place, text in enumerate(texts):
        (folder / f"script_{place}.py").write_text(text, "utf-8")
    config = str(Path(__file__).parents[2] / "pyproject.toml")
    called = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "-q",
        "--no-cache",
        "--config",
        config,
        str(folder),
    ]
    done = subprocess.run(called, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_a_script_gives_the_numbers_of_its_page(
    kind: type[Lab], some: Dataset, tmp_path: Path
) -> None:
    seeds = [seed for of, seed in LOTS if of is kind]
    first = kind() if whole() else swift(kind())
    states = [first, *(swift(shown(random_state(kind, seed, some))) for seed in seeds)]
    told = (lab_of_words(each.split()) for each in BRANCHES if each.split()[0] == kind.key)
    states += map(swift, told)
    texts = []
    for place, lab in enumerate(states):
        why = ""
        try:
            text, wrong = checked(lab, some)
        except NoScript as reason:
            why = render(reason.sentence)
        if why:
            assert why.endswith("."), (place, lab)
            assert place, why  # as it starts every lab has one
            continue
        assert not wrong, (place, lab, wrong)
        chinese, left = in_chinese(lab, some)
        assert not left, (lab, left)
        texts += [text, chinese]
    clean(texts, tmp_path)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> tuple[Dataset, Dataset]:
    """A table of somebody as text, and as Parquet with up to two rows of each person."""
    folder = tmp_path_factory.mktemp("own")
    text, columnar = (own_table(folder, parquet=parquet) for parquet in (False, True))
    return text, columnar.described(columnar.codebook.with_person("patient_id", 2))


@pytest.mark.parametrize(("kind", "at"), OWN, ids=[f"{kind.key}-{at}" for kind, at in OWN])
def test_a_script_reads_the_table_of_its_user(
    kind: type[Lab], at: int, own: tuple[Dataset, Dataset]
) -> None:
    """Also where no columns are named, which are then found by what they hold."""
    data = own[at]
    for lab in (kind(), shown(random_state(kind, at, data))):
        why, lab = "", swift(lab).suited(data)
        try:
            assert not checked(lab, data)[1], lab
        except NoScript as reason:
            why = render(reason.sentence)
        assert "Name the columns" not in why, lab


def unnamed(text: str, data: Dataset) -> str:
    """A script that does not say of which file it is."""
    return text.replace(data.digest, "digest").replace(data.origin, "path")


def test_dates_are_cut_as_the_page_cuts_them(own: tuple[Dataset, Dataset]) -> None:
    """Into units of the calendar, at dates that are typed, and by conditions."""
    asked = ["histogram query.column=Besuch query.bins=200", "histogram query.column=Besuch"]
    asked.append("histogram query.column=Besuch query.dates=2020,2020-06,2021-01-15")
    asked.append("counts query.conditions=Besuch>2021|Besuch<=2020-06|Alter>40")
    for data in own:
        for words in asked:
            lab = lab_of_words(["explore", *f"query={words}".split()])
            assert not checked(lab, data)[1], words


@pytest.fixture(scope="module")
def fewer(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The same rows but one, in another file."""
    return small_table(tmp_path_factory.mktemp("fewer"), leave_out=7)


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_a_script_is_the_same_of_neighbours(kind: type[Lab], some: Dataset, fewer: Dataset) -> None:
    """But for the digest of the file, and where it is."""
    seeds = [seed for of, seed in LOTS if of is kind]
    for lab in (kind(), *(shown(random_state(kind, seed, some)) for seed in seeds)):
        try:
            texts = [python_script(lab, data) for data in (some, fewer)]
        except NoScript:
            continue
        # Lines are wrapped by how long the path is.
        bare = [
            " ".join(unnamed(text.removeprefix("r"), data).split()).replace(" \\ ", " ")
            for text, data in zip(texts, (some, fewer), strict=True)
        ]
        assert bare[0] == bare[1]


def test_a_script_keeps_to_the_rows_of_each_person(some: Dataset) -> None:
    """Up to two of each count; in the labs where nobody is trusted each person is asked once."""
    of_persons = some.described(some.codebook.with_person("age", 2))
    for words in (
        "explore query=sum query.column=hours-per-week",
        "clipping column=hours-per-week mechanism.epsilon=2",
        "selection query=most_common query.column=occupation",
        "selection query=quantile query.column=hours-per-week",
        "membership",
        "local_counts query=count query.where=hours-per-week>40",
        "local_means query.column=hours-per-week",
        "local_learning features=occupation|education",
    ):
        assert not checked(lab_of_words(words.split()), of_persons)[1], words


SPELLED = {
    "space": ("1 234,5", "−2\u202f000", "+7", "unknown"),
    "euro": ("12 €", "€ 1 200,5", "-9€", ""),
    "word": ("day", "Day ", "DAY", "night"),
    "dotted": ("31.3.88", "1.4.20", "2.5.19", "3.1.68"),
    "moment": ("31.3.2020 14:30", "1.4.2020 00:10:05", "02.05.1919 11:00", "3.1.2018 09:09"),
    "named": ("31 March 2020", "1. June, 2020", "2 May 1999", "03-Jan-2018"),
    "iso": ("2020-03-31T14:30:05Z", "2020-04-01T00:10:00Z", "1919-05-02T11:00:00Z", "?"),
    "share": ("1,5%", "20 %", "−3%", "0%"),
}


def test_a_script_reads_cells_as_the_page_does(tmp_path: Path) -> None:
    """Numbers with groups and units, dates of each form, merged words, records that do not fit."""
    path = tmp_path / "spelled.csv"
    rows = [";".join(cells) for cells in zip(*SPELLED.values(), strict=True)] * 6
    rows[3:3] = ["night;a;b", f"{rows[0]};more", f"{rows[1]};"]
    path.write_text("\n".join([";".join(SPELLED), *rows, ""]), "utf-8")
    told = "delimiter=semicolon decimal=comma dates=dmy century=1900 thousands=space"
    for way in ("pad rows=every", "pad", "merge", "refuse"):
        data = open_as_told(str(path), [f"{told} units=fractions ragged={way}"]).data
        data = data.described(data.codebook.with_about("word", About(type=MERGED)))
        present = Where("and", tuple(Test(name, "is not missing", ()) for name in SPELLED))
        held: dict[str, Any] = {}
        exec(python_script(put(Explore(), "query", Count(where=present)), data), held)
        assert_read_alike(held["table"], data, way)


def assert_read_alike(table: dict[str, Any], data: Dataset, told: str) -> None:
    for place, (name, theirs) in enumerate(table.items()):
        if theirs.dtype == object:
            codes, words = data._table.codes(place)
            assert [*theirs] == [None if code < 0 else words[code] for code in codes], told
        else:
            assert data.info(name).type != "category"
            np.testing.assert_array_equal(theirs, data._table.numbers(place), f"{told} {name}")


TOLD = {
    "number": ("1,5", "2.5", "1.234,5", "12 345", "5 €", "unknown", "2020-03", "1_000", "５", "inf"),
    "integer": ("1,0", "2.5", "1'234", "7", "12345678901234567890", "x", "31.3.2020", "5 k", "", "3"),
    "date": ("2020-03", "2020.0", "31.3.20", "3rd January 2022", "1 mars 2020", "1 May 2020", "x",
             "2020-03-31T14:30:05+02:00", "1.4.2020 24:00", "20200331"),
    "merged": ("A b", "a  B", "c", "C", "c", "d", "", "?", "e", "E "),
    "": ("true", "FALSE", "", "True", "false", "true", "?", "true", "false", "False"),
    "text": ("1", "x", "2", "007", "1.50", "", "y", "z", "1", "2"),
}  # fmt: skip


@pytest.mark.parametrize("decimal", ["point", "comma"])
def test_a_script_reads_words_as_what_they_are_told_to_be(tmp_path: Path, decimal: str) -> None:
    """Months were read as years, and a number with the other decimal sign as missing; true and
    false are written as the page has them."""
    path = tmp_path / "told.csv"
    rows = [";".join(cells) for cells in zip(*TOLD.values(), ["1.5"] * 10, strict=True)]
    path.write_text("\n".join([";".join([*(f"c{kind}" for kind in TOLD), "n"]), *rows]), "utf-8")
    way = f"delimiter=semicolon decimal={decimal} thousands=none dates=dmy century=1900"
    data = open_as_told(str(path), [f"{way} units=numbers"]).data
    book = data.codebook
    for kind in filter(None, TOLD):
        book = book.with_about(f"c{kind}", About(type=kind))
    data = data.described(book)
    present = Where("and", tuple(Test(f"c{kind}", "is not missing", ()) for kind in TOLD))
    held: dict[str, Any] = {}
    exec(python_script(put(Explore(), "query", Count(where=present)), data), held)
    assert_read_alike(held["table"], data, decimal)
    # What is told of numbers and dates that the file has as such is not to be read from cells.
    words = data.described(book.with_about("n", About(type="text")))
    asked = put(Explore(), "query", Count(where=Where("and", (Test("n", "is not missing", ()),))))
    if decimal == "point":
        with pytest.raises(NoScript, match="another type"):
            python_script(asked, words)


def test_a_page_that_reads_a_second_table_says_why_it_has_no_script(some: Dataset) -> None:
    lab = lab_of_words(["linkage"])
    with pytest.raises(NoScript, match="reads a second one"):
        python_script(lab, some, second=some)
    assert python_script(lab_of_words(["linkage", "attacker=frequency"]), some, second=some)


def test_names_of_columns_may_hold_spaces() -> None:
    """A long list of such names was broken within one of them."""
    pima = open_table("pima")
    _, wrong = checked(lab_of_words(["learn", "runs=20"]).suited(pima), pima)
    assert not wrong


def test_the_first_picture_is_drawn(some: Dataset, tmp_path: Path) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    for kind in every_lab():
        if script_of(kind(), some).hero:
            made_here(python_script(kind(), some), tmp_path / f"{kind.key}.png")
            assert (tmp_path / f"{kind.key}.png").stat().st_size > 1000
            pyplot.close("all")


def test_a_notebook_holds_each_page_and_why_one_has_no_script(some: Dataset) -> None:
    called = ("explore", "printed erratum=wishart", "dimension")
    labs = [lab_of_words(words.split()) for words in called]
    held = json.loads(notebook(labs, some))
    assert (held["nbformat"], held["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in held["cells"]}) == len(held["cells"]) == 5
    codes = ["".join(cell["source"]) for cell in held["cells"] if cell["cell_type"] == "code"]
    for code, lab in zip(codes, (labs[0], labs[2]), strict=True):
        assert made_here(code) == made_here(python_script(lab, some))
    # A cell is called with nothing.
    assert not any("--json" in "".join(cell["source"][:5]) for cell in held["cells"])
    with pytest.raises(NoScript):
        notebook(labs[1:2], some)


def test_names_in_a_notebook_are_no_markup(tmp_path: Path) -> None:
    """Neither where a page says why it has no script nor where one says its call."""
    name, place = "<img src=x>", tmp_path / "a ``` b.csv"
    place.write_text(f"{name},b\n" + "1,2\n2,3\n" * 9)
    counted = put(lab_of_words(["explore"]), "query", Count(where=f"`{name}` > 1"))
    refused = put(counted, "query", Count(where=f"`{name} ` > 1"))
    held = json.loads(notebook([counted, refused], open_table(str(place))))
    told = ["".join(c["source"]) for c in held["cells"] if c["cell_type"] == "markdown"]
    fence = "````"
    for text in told:
        outside = "".join(text.split(fence)[::2])
        assert name not in outside.replace("\\<", "")
        assert "```" not in outside
    assert name in "".join(told)


def test_a_script_says_what_it_needs_and_what_it_does(some: Dataset) -> None:
    def head(words: str, form: str = PYTHON) -> str:
        text = python_script(lab_of_words(words.split()), some, form)
        return " ".join(str(ast.get_docstring(ast.parse(text))).split())

    assert "It needs numpy, scikit-learn." in head("inversion")
    assert "worked out again" in head("selection")
    assert "--plot FILE" in head("selection")
    asked = head("selection", OPENDP)
    assert "drawn anew by OpenDP" in asked
    assert "It needs numpy, opendp." in asked
    # A sum and a count, each with its share.
    mean = python_script(lab_of_words(["explore", "query=mean"]), some, OPENDP)
    assert "measure = dp.m.make_laplace(values, distance, scale=scales[i])" in mean
    assert "worked out again" not in asked
    assert "--plot" not in asked


@pytest.mark.parametrize("form", [PYTHON, OPENDP])
def test_a_script_speaks_as_its_reader_does(
    form: str, some: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All that is read in it; what it prints for programs, and its numbers, are the same. So is a
    notebook."""
    if form == OPENDP:
        for words in ("explore", "explore query=mean", "selection"):
            assert not in_chinese(lab_of_words(words.split()), some, form)[1]
    called = ["script", "selection", *(["--as", "opendp"] if form == OPENDP else [])]
    assert cli.main(called) == 0
    english = capsys.readouterr().out
    with speaking(CHINESE):
        assert cli.main([f"--language={CHINESE}", *called]) == 0
        told = json.loads(
            notebook([lab_of_words(["selection"])], open_table("adult"), translate=tr)
        )
    chinese = capsys.readouterr().out
    assert "状态" in chinese
    assert "The state" in english
    if form == PYTHON:
        assert made_apart(chinese, tmp_path) == made_apart(english, tmp_path)
        assert "".join(told["cells"][0]["source"]).startswith("# 选择\n")
        assert "# 页面的状态。" in "".join(told["cells"][1]["source"])


def test_a_table_that_moved_or_changed_is_a_sentence(some: Dataset, tmp_path: Path) -> None:
    text = python_script(lab_of_words(["explore"]), some)
    for other, said in (("gone.csv", "There is no table"), ("else.csv", "is not the table")):
        (tmp_path / "else.csv").write_text("age\n3\n")
        moved = text.replace(some.origin, str(tmp_path / other))
        with pytest.raises(SystemExit, match=said):
            made_here(moved)


NASTY = (
    '"""\n{call}\n"""',
    '"]; {call}; x = ["',
    "a\r{call}",
    "\\",
    "\\N{{DIGIT ONE}}",
    "a\u202eb\u2066",
    "x" * 150 + ' = "{call}',
    "long words " * 20 + " = {call}",
    "x'y`touch {made}`",
    '"""; touch {made}; """',
    "$(touch {made})\t%s {{epsilon}}",
)


@pytest.mark.parametrize("name", NASTY)
def test_a_column_or_word_of_any_letters_is_text_in_a_script(name: str, tmp_path: Path) -> None:
    """Nothing of it is run, by Python or where the call at its head is pasted into a shell."""
    made = tmp_path / "made"
    name = name.format(call=f"open({str(made)!r}, 'w')", made=made)
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, quoting=csv.QUOTE_ALL)
        rows.writerows([["age", name], *([k, name if k % 3 else "other"] for k in range(30))])
    data = open_table(str(path))
    column = data.columns[1].name
    word = next(word for word, _ in data.distinct(column, 5) if word != "other")
    where = Where("and", (Test(column, "=", (word,)), Test("age", ">", (9.0,))))
    either = replace(where, joined="or")
    for query in (Count(where=where), Counts(conditions=(where, either)), Histogram(column=column)):
        lab = put(Explore(), "query", query)
        text = python_script(lab, data)
        assert all(c.isprintable() for c in text.replace("\n", ""))
        assert made_here(text)
        head, said, end = ast.get_docstring(ast.parse(text), clean=False), "state:\n", "\nThe table"
        assert head is not None
        if said in head:
            call = head.partition(said)[2].partition(end)[0]
            shell = ["bash", "-c", f"dpstudio() {{ printf '%s\\0' \"$@\"; }}\n{call}"]
            words = subprocess.run(shell, capture_output=True, text=True).stdout.split("\0")
            assert lab_of_words(words[1 : words.index("--data")]) == lab
    assert not made.exists()


def test_a_script_of_parquet_names_what_reads_it(own: tuple[Dataset, Dataset]) -> None:
    lab = lab_of_words(["explore", "query.where=Alter>40"])
    assert "It needs numpy, pandas, pyarrow, scipy." in python_script(lab, own[1])


@pytest.mark.parametrize("option", ["--beside", "--read-beside"])
def test_a_call_for_a_script_takes_no_second_table(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["script", "explore", option, "x"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert "A script reads one table" in err


def test_no_script_holds_a_condition_that_rows_proposed(tmp_path: Path) -> None:
    """One row decides which word is the most frequent, and that would stand in it."""
    texts = []
    for place, last in enumerate(("flu", "cold")):
        path = tmp_path / f"{place}.csv"
        ills = [*["cold", "flu"] * 20, last]
        lines = (f"{20 + n % 40},{ill}" for n, ill in enumerate(ills))
        path.write_text("\n".join(["age,illness", *lines]) + "\n", "utf-8")
        data = open_table(str(path))
        where = proposed_condition(data)
        assert str(where) == f'illness = "{last}"'
        for lab in (put(Explore(), "query.where", where), lab_of_words(["plan"]).suited(data)):
            with pytest.raises(NoScript, match="proposed the condition"):
                python_script(lab, data)
        told = put(Explore(), "query.where", replace(where, parts=(), proposed=False))
        texts.append(unnamed(python_script(told, data), data).replace(path.name, ""))
    assert texts[0] == texts[1]
