"""What is on the screen while a step is written: the numbers that a sentence may say, those that
may be asked for, and what may be pointed at."""

from dpstudio.files.talk import number_of, told
from dpstudio.gui.board.headline import signed
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.pictures import Pictures
from dpstudio.labs.findings import Findings
from dpstudio.values.domains import Real
from dpstudio.values.messages import N_, Message, say, with_name

LETTERS = 72


class TalkTargets:
    """Of the lab that is active, as the pictures show it."""

    def __init__(self, pictures: Pictures):
        self.pictures = pictures

    @property
    def findings(self) -> Findings:
        """What is drawn; nothing where there is no picture."""
        drawn = self.pictures.shown
        return drawn.framed if drawn is not None else Findings()

    def headline(self) -> str:
        """What the lab says first."""
        found = self.findings
        return signed(found.sentence(found.headline[0])) if found.headline else ""

    def facts(self) -> dict[str, str]:
        """The facts that are a number, by key."""
        found = self.findings
        return {
            fact.key: shown(with_name(fact.label, fact.text))
            for fact in found.facts
            if number_of(fact.value, found.part) is not None
        }

    def numbers(self) -> dict[str, dict[str, str]]:
        """What may stand in braces in a sentence, by the name of its list: the facts and notes, the
        sentences, and how the lab is set."""
        found, lab = self.findings, self.pictures.store.lab
        facts = {f"fact.{f.key}": shown(with_name(f.label, f.text)) for f in found.facts}
        said = {f"say.{s.key}": _short(shown(s.say)) for s in found.sentences}
        set_ = {
            path: shown(
                with_name(Message(field.domain.label), told("{" + path + "}", lab, found, tr))
            )
            for path, field in self.pictures.pages.panel.editors()
            if isinstance(field.domain, Real)
        }
        return {"": facts, N_("Sentences of the lab"): said, N_("How it is set"): set_}

    def charts(self) -> dict[str, str]:
        """The charts and tables by key."""
        cards = self.pictures.window.board.items
        return {card.key: card.title.text() for card in cards if card.title.text()}

    def parts(self) -> dict[str, str]:
        """What may be pointed at: the charts by key, and the controls by path."""
        panel, charts = self.pictures.pages.panel, self.charts()
        asks = {panel.question.path: tr(N_("Question"))} if panel.question is not None else {}
        held = {path: tr(field.domain.label) for path, field in panel.editors()}
        return {
            **{key: shown(say("Chart: {title}", title=words)) for key, words in charts.items()},
            **asks,
            **{path: words for path, words in held.items() if words},
        }


def _short(words: str) -> str:
    return words if len(words) <= LETTERS else words[: LETTERS - 1].rstrip() + "…"
