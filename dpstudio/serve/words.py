"""What the page in a phone says, and what it is told of each question."""

import html
import json
import math
from typing import Any

from dpstudio.files.assets import asset
from dpstudio.privacy.room import Question, law, told
from dpstudio.privacy.room.question import CHOICE, COINS, NUMBER
from dpstudio.serve.intake import REASONS, Intake
from dpstudio.values.messages import N_, Message, Num, Translate, named, render, say

MICRO = 1_000_000  # of ε: what a phone adds up, in whole numbers

STILL = {
    "title": N_("A survey in this room"),
    "noscript": N_(
        "This page needs JavaScript, which is off or missing here: the noise must be made on this "
        "phone, before anything is sent. Turn JavaScript on, or use another phone."
    ),
    "loading": N_("Loading. If nothing comes, this browser is too old or runs no scripts."),
}
NOWHERE = N_(
    "There is no survey at this address. On the screen and on a slip it has two lines: type both, "
    "one right after the other."
)
ELSEWHERE = N_(
    "This room does not answer under this name. Type the address as it stands on the screen and on "
    "a slip, with its numbers."
)
PAGE = {
    "lead": N_(
        "Coins are thrown on this phone. Only what they make of your answer is sent, and you see "
        "exactly what that was. Your answer itself stays here."
    ),
    "plain": N_(
        "This page came without encryption: somebody active in this network could have replaced it."
    ),
    "often": N_("Anyone who has the address can answer, also more than once."),
    "once": N_("Your code answers each question once."),
    "no_chance": N_(
        "This browser cannot draw secret random numbers (crypto.getRandomValues is missing), so no "
        "noise can be made here. Use another phone."
    ),
    "code": N_("The code on your slip"),
    "use_code": N_("Use this code"),
    "bad_code": N_("A code has 8 letters and digits."),
    "looking": N_("The room looks for your code."),
    "answered": N_("Your code has answered this question."),
    "waiting": N_("No question is open now. This page waits for one."),
    "lost": N_("The studio cannot be reached. This page tries again."),
    "moved": N_("The room has another address now: read its code from the screen again."),
    "new": N_("A question was opened."),
    "closed": N_("The question was closed."),
    "answer": N_("Your answer"),
    "range": N_("A whole number from {low} to {high}"),
    "noise": N_("How much noise?"),
    "throw": N_("Throw the coins and send"),
    "pick": N_("Choose an answer first."),
    "sending": N_("Sending…"),
    "refused": N_("It was not taken: {why}."),
    "again": N_("Try to send the same report again"),
    "arrived": N_("It has arrived."),
    "unknown": N_("It is not known whether it arrived."),
    "there": N_("The room has an answer of your code: this report, unless others have the code."),
    "sent": N_("What was sent"),
    "sent_all": N_("These letters, and nothing else that you typed:"),
    "speaks": N_("The report says: {value}"),
    "maybe": N_("It may be your answer, or what the coins made of it."),
    "made": N_("That is what the coins made of your answer."),
    "coins": N_("What the coins did"),
    "sum": N_("Spent on this phone in this survey: ε = {sum}"),
    "sum_help": N_("Each answer adds its ε, and a question that is opened again adds anew."),
    "another": N_("Answer for another person"),
    "forget": N_("Forget all of this on this phone"),
    "upper": N_("the upper end, {value}"),
    "lower": N_("the lower end, {value}"),
    "none": N_("none of the options"),
    "first_heads": N_("First coin: heads. The truth is told."),
    "first_tails": N_("First coin: tails. A second coin answers instead."),
    "second": N_("Second coin: {side}, so “{value}”."),
    "heads": N_("heads"),
    "tails": N_("tails"),
    "drawn": N_("Drawn: {drawn}, from 0 to {last}."),
    "truth_below": N_("Below {own} the truth is told: it is told."),
    "truth_above": N_("Below {own} the truth is told: it is not told."),
    "other": N_("Another option is sent instead, each alike likely: “{value}”."),
    "bit_own": N_("“{value}”, your own: 1 if below {own}. It is {bit}."),
    "bit_other": N_("“{value}”: 1 if below {own}. It is {bit}."),
    "rounded": N_(
        "Your number goes to one end: drawn {drawn}, from 0 to {last}; below {own} to the upper. "
        "It goes to {value}."
    ),
}
_CASES = {
    COINS: N_("ε = {epsilon}: {true} of 100 reports {true:speaks|speak} for your answer"),
    CHOICE: N_(
        "ε = {epsilon}: of 100 reports {true} {true:speaks|speak} for your answer, {false} for "
        "each other"
    ),
    NUMBER: N_(
        "ε = {epsilon}: of 100 reports {true} {true:names|name} the end that your number goes to, "
        "{false} the other"
    ),
}


def page_html(translate: Translate, language: str) -> bytes:
    """The page without any question: those come by script and are text there, never markup. Its
    words are in a `language`, given by its tag."""
    text = asset("room", "page.html").read_text(encoding="utf-8")
    text = text.replace("[[language]]", html.escape(language))
    for key, words in STILL.items():
        text = text.replace(f"[[{key}]]", html.escape(render(words, translate)))
    return text.encode()


def room_json(intake: Intake, often: bool, translate: Translate) -> bytes:
    """What the script is told: the open questions with the whole numbers of their coins, and all
    words."""
    now = [(intake.standing(key), asked) for key, asked in intake.kept.questions.items()]
    spoken = PAGE | {f"refused_{key}": words for key, words in REASONS.items()}
    told_ = {
        "often": often,
        "questions": [_asked(asked, at.round, translate) for at, asked in now if at.open],
        "words": {key: render(words, translate) for key, words in spoken.items()},
    }
    return json.dumps(told_, ensure_ascii=False).encode()


def _asked(asked: Question, round_: int, translate: Translate) -> dict[str, Any]:
    number = asked.kind == NUMBER
    ends = [render(say("{x}", x=Num(end)), translate) for end in (asked.low, asked.high)]
    return {
        "key": asked.key,
        "round": round_,
        "text": render(named(asked.text), translate),
        "number": number,
        "low": asked.low,
        "high": asked.high,
        "options": ends if number else [render(named(one), translate) for one in asked.options],
        "choices": [_choice(asked, epsilon, translate) for epsilon in asked.epsilons],
    }


def _choice(asked: Question, epsilon: float, translate: Translate) -> dict[str, Any]:
    used = law(asked, epsilon)
    return {
        "epsilon": epsilon,
        "micro": math.ceil(used.spent * MICRO),
        "label": render(_cases(asked, epsilon), translate),
        "law": {name: getattr(used, name) for name in ("mechanism", "d", "whole", "own", "other")},
    }


def _cases(asked: Question, epsilon: float) -> Message:
    """What an ε means, in reports out of a hundred."""
    one = told(asked, epsilon)
    values = {"epsilon": Num(epsilon, 3, "up"), "true": Num(100 * one.true, 3)}
    return Message(_CASES[asked.kind], values | {"false": Num(100 * one.false, 3)})
