"""The numbers of the lab Survey, worked out without the program."""

from dpstudio.labs.nobody.survey.parameters import Survey, Typed
from dpstudio.labs.scripting.scripted import Known, Script, paragraphs
from dpstudio.privacy.local.coins import BiasedCoins, FairCoins

_SEEN = {
    True: """
        # What was seen: the nearest whole number of answers.
        said = round(yes * people * asked)
    """,
    False: """
        # A simulated survey of people of whom `share` are yes: who tells the truth of a yes, whom
        # the coin lets say yes or no, and who tells the truth of a no. The page draws it so too.
        rng = np.random.Generator(np.random.SFC64([seed, 146]))
        chances = np.array([truth * share, coin.q, coin.not_p, truth * (1 - share)])
        first = rng.multinomial(people, chances / chances.sum())
        said = int(first[0] + first[1])
        if asked > 1:
            truly = int(first[0] + rng.binomial(first[1] + first[2], share))
            said += int(rng.binomial((asked - 1) * truly, coin.p))
            said += int(rng.binomial((asked - 1) * (people - truly), coin.q))
    """,
}
_COINS = {
    FairCoins: "coin, truth = two_coins(1 / 2, 1 / 2), 1 / 2\nepsilon = epsilon_of_coins(coin)",
    BiasedCoins: "coin, truth = two_coins(heads, heads), heads\nepsilon = epsilon_of_coins(coin)",
}
_WARNER = "coin, truth = warner(epsilon), math.tanh(epsilon / 2)"
_LINES = """
    answers = people * asked
    estimate = (said / answers - coin.q) / (coin.p - coin.q)  # unbiased: beyond 0 and 1 at times

    # One person's variance: that of who is drawn, and that of the coins, thrown `asked` times.
    likely = min(1, max(0, estimate))
    coins = likely * noise_of_holder(coin) + (1 - likely) * noise_of_other(coin)
    variance = likely * (1 - likely) + coins / asked
    z = normal_quantile(confidence)
    half = z * math.sqrt(variance / people)

    numbers["said"] = said
    numbers["estimate"] = estimate, estimate - half, estimate + half
    numbers["half_width"] = half
    numbers["needed"] = max(1, math.ceil((z / aim) ** 2 * variance * (1 - 1e-12)))
    numbers["epsilon"] = asked * epsilon  # of all answers of one person, by composition
"""
_HERO = """
    shares = np.linspace(0, 1, 201)
    expected = coin.q + (coin.p - coin.q) * shares
    axes.plot(expected, shares, label="truly yes, by how many say it")
    axes.errorbar([said / answers], [estimate], yerr=[[half], [half]], fmt="o", capsize=4)
    axes.set(xlabel="share that says yes", ylabel="share that is truly yes")
    axes.legend()
"""


def script(lab: Survey, known: Known) -> Script:
    """Coins, what was seen, what it means, and what it costs."""
    coins = lab.coins
    typed = isinstance(lab.observed, Typed)
    settings: dict[str, object] = {"people": lab.n, "asked": lab.asked}
    if isinstance(lab.observed, Typed):
        settings["yes"] = lab.observed.yes
    else:
        settings |= {"share": lab.share, "seed": lab.seed}
    if isinstance(coins, BiasedCoins):
        settings["heads"] = coins.p
    elif not isinstance(coins, FairCoins):
        settings["epsilon"] = coins.claim
    settings |= {"confidence": lab.confidence, "aim": lab.aim}
    lines = paragraphs(_COINS.get(type(coins), _WARNER), _SEEN[typed], _LINES)
    return Script(settings, lines, hero=_HERO)
