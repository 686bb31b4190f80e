"""What is said of the step on the screen, with the numbers that are seen there."""

from dpstudio.files.talk import judged, told
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.talks.targets import TalkTargets
from dpstudio.gui.state.player import Player
from dpstudio.labs.naming import about_lab
from dpstudio.values.messages import N_, Message, say


class TalkWords:
    """Of a player's step, as the pictures show it."""

    def __init__(self, player: Player, targets: TalkTargets):
        self.player, self.targets = player, targets

    def said(self) -> str:
        """What is said of the step, or asked before it; of one of which nothing is said, what its
        lab says first; beside another page, where the step is."""
        step = self.player.step
        if step is None:
            return tr(N_("Set the lab as it is to be seen, then add it as a step. Ctrl+Shift+A"))
        if self.targets.pictures.pages.page != step.lab.key:
            page = Message(about_lab(step.lab.key).label)
            return shown(say("This step of the talk is on the page {page}.", page=page))
        if self.player.asking and step.ask is not None:
            options = " · ".join(tr(option) for option in step.ask.options)
            return f"{tr(step.ask.text)}  {options}".strip()
        if not step.say:
            return self.targets.headline()
        return told(tr(step.say), self.player.store.lab, self.targets.findings, tr)

    def verdict(self) -> str:
        """What is said of an answer, once the numbers of the step are there."""
        step, given = self.player.step, self.player.answers.get(self.player.place)
        drawn = self.targets.pictures.drawn
        there = step is not None and drawn is not None and drawn.lab == step.lab
        if step is None or step.ask is None or given is None or not there:
            return ""
        return judged(step.ask, given, self.targets.findings, tr)

    def telling(self) -> tuple[str, str]:
        """The same, after what is said of an answer, and which step it is of how many; nothing
        where no talk is open."""
        talk = self.player.talk
        if talk is None:
            return "", ""
        return (
            f"{self.verdict()} {self.said()}".strip(),
            f"{self.player.place + 1} / {len(talk.steps)}",
        )
