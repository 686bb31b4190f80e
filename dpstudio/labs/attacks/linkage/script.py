"""The numbers of the lab Linkage, worked out without the program."""

from dpstudio.labs.attacks.linkage.attackers.frequency.model import Frequency
from dpstudio.labs.attacks.linkage.attackers.joining.model import Joining
from dpstudio.labs.attacks.linkage.attackers.linkage.model import Linkage
from dpstudio.labs.attacks.linkage.parameters import LinkageLab
from dpstudio.labs.scripting.features import told_of
from dpstudio.labs.scripting.scripted import Known, NoScript, Script
from dpstudio.values.messages import N_, say

_TYPED = N_(
    "“{column}” holds numbers whose words somebody named, which no script tells apart. Choose a "
    "column of words."
)
_RATINGS = """
    # 1,000 invented people rated some of 400 films; 200 of them are looked for, as on the page.
    table_of_ratings = invented_ratings(stream(seed, 18, 70), 1000, 400)
    right = wrong = joined = 0
    for person in range(200):
        chance = stream(seed, 18, 1000 + person)
        told = known_ratings(chance, table_of_ratings[person], known)
        guess = found_by_scores(scoreboard(told, table_of_ratings), sure)
        right += guess == person
        wrong += guess is not None and guess != person
        joined += found_by_join(told, table_of_ratings) == person
    numbers["off"], numbers["best"], numbers["promised"] = right / 200, wrong / 200, joined / 200
"""
_JOINING = """
    # Some rows are looked for by what somebody else's table says of them, which is false at times:
    # then it is the value of another row. They are drawn as the page draws them.
    rows = np.stack([value_codes(table[name]) for name in shared], axis=1)
    rng = stream(seed, 18, 90)
    whom = rng.permutation(len(rows))[: 100 if len(rows) <= 200_000 else 20]
    others = rng.integers(0, len(rows), (len(whom), rows.shape[1]))
    changed = rng.random(others.shape) < false
    told = np.where(changed, rows[others, np.arange(rows.shape[1])], rows[whom])

    guesses = [found_by_scores(scores_by_values(one, rows), sure) for one in told]
    right = sum(guess == row for guess, row in zip(guesses, whom, strict=True))
    joined = sum(found_by_join(one, rows) == row for one, row in zip(told, whom, strict=True))
    numbers["off"] = right / len(whom)
    numbers["best"] = (sum(guess is not None for guess in guesses) - right) / len(whom)
    numbers["promised"] = joined / len(whom)
"""
_FREQUENCY = """
    # One word always becomes one code. 20 times by lot, as on the page, the attacker knows the
    # words of some rows, and reads the others by how often each code comes.
    words = told_from(table[column], told)
    codes, many = place_of(table[column], words), len(words)
    codes = codes[~np.isnan(codes)].astype(int)
    shares = []
    for run in range(20):
        order = stream(seed, 18, 40 + run).permutation(len(codes))
        cut = min(len(codes) - 1, max(1, round(known * len(codes))))
        secret = codes[order[cut:]]
        guess = read_by_frequency(secret, np.bincount(codes[order[:cut]], minlength=many))
        there = np.unique(secret)
        shares.append((np.mean(guess[secret] == secret), np.mean(guess[there] == there)))
    numbers["off"], numbers["best"] = np.median(shares, axis=0)
    numbers["promised"] = np.bincount(codes).max() / len(codes)  # who always says the most common
"""
_HERO = """
    axes.bar(["found", "taken for others", "by a join"], list(numbers.values()))
    axes.set(ylabel="share of those looked for")
"""
_READ = """
    axes.hist([share for share, _ in shares], bins=20)
    axes.axvline(numbers["promised"], linestyle=":")
    axes.set(xlabel="share of encrypted rows that are read", ylabel="times")
"""


def script(lab: LinkageLab, known: Known) -> Script:
    """Who is found, or which words are read."""
    attacker = lab.attacker
    if isinstance(attacker, Linkage):
        settings = {"known": attacker.known, "sure": attacker.sure, "seed": lab.seed}
        return Script(settings, _RATINGS, hero=_HERO)
    if isinstance(attacker, Joining):
        of: dict[str, object] = {"shared": attacker.columns, "false": attacker.false}
        return Script({**of, "sure": attacker.sure, "seed": lab.seed}, _JOINING, hero=_HERO)
    assert isinstance(attacker, Frequency)
    told = told_of(known, attacker.column, classes=True)
    if not isinstance(told, str) and known.type_of(attacker.column) != "category":
        raise NoScript(say(_TYPED, column=attacker.column))
    asked: dict[str, object] = {"column": attacker.column, "told": told, "known": attacker.known}
    return Script({**asked, "seed": lab.seed}, _FREQUENCY, hero=_READ)
