"""The side panels of Explore: the question, the mechanism, privacy, the target, many answers, drawing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.core.findings import Findings
from dpstudio.core.labs.explore import Explore
from dpstudio.core.mechanisms import MECHANISMS
from dpstudio.core.params import ParamError, Real, domains
from dpstudio.core.wording import N_, Num, Say, say
from dpstudio.gui.form import BoxField, ComboField, Field, FlagField, SliderField
from dpstudio.gui.question import PartField, Question
from dpstudio.gui.store import Store
from dpstudio.gui.theme import Look, Theme
from dpstudio.gui.tr import shown, tr
from dpstudio.gui.widgets import Complaint, Live, Segments, label


def card(title: str) -> tuple[QFrame, QVBoxLayout]:
    """A panel with a small heading."""
    frame = QFrame()
    frame.setObjectName("card")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(14, 10, 14, 12)
    layout.setSpacing(7)
    layout.addWidget(label(tr(title).upper(), "head"))
    return frame, layout


class ExplorePanel(QWidget):
    """The whole column of cards. `show_state` after each change, `show_findings` with each outcome.

    `rearranged`: fields came or went.
    """

    rearranged = Signal()

    def __init__(self, store: Store, theme: Theme):
        super().__init__()
        self.store, self.theme = store, theme
        self.fields: list[Field] = []
        self._shape: tuple[Any, ...] = ()
        self._refused: Mapping[str, Say] = {}
        known = domains(Explore)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(10)
        layout.addWidget(self._question())
        layout.addWidget(self._mechanism())
        layout.addWidget(self._privacy())
        layout.addWidget(self._target(known))
        layout.addWidget(self._many(known))
        layout.addWidget(self._drawing(known))
        layout.addStretch()
        self.dress(theme.look)

    def _question(self) -> QFrame:
        frame, layout = card(N_("Question"))
        self.question = Question(self.store)
        layout.addWidget(self.question)
        return frame

    def _mechanism(self) -> QFrame:
        frame, layout = card(N_("Mechanism"))
        self.mechanisms = Segments(
            {m.key: m.label for m in MECHANISMS}, columns=2, fluid=True, decorate=lambda b, key: b.setObjectName("mechanism")
        )
        self.mechanisms.chosen.connect(lambda key: self.store.choose("mechanism", key))
        self.formula = Live("muted", wrap=True)
        self.warning = Complaint()
        layout.addWidget(self.mechanisms)
        layout.addWidget(self.formula)
        layout.addWidget(self.warning)
        return frame

    def _privacy(self) -> QFrame:
        frame, layout = card(N_("Privacy"))
        mechanism = domains(MECHANISMS[-1])
        self.epsilon = SliderField(self.store, "mechanism.epsilon", mechanism["epsilon"], "large", label("ε", "value"))  # type: ignore[arg-type]
        ends = QHBoxLayout()
        ends.addWidget(label(tr(N_("more private")), "muted"))
        ends.addStretch()
        ends.addWidget(label(tr(N_("more accurate")), "muted"))
        self.delta = SliderField(self.store, "mechanism.delta", mechanism["delta"])  # type: ignore[arg-type]
        self.delta_tip = label("", "muted", wrap=True)
        self.odds = Live(wrap=True)
        layout.addWidget(self.epsilon)
        layout.addLayout(ends)
        layout.addWidget(self.delta)
        layout.addWidget(self.delta_tip)
        layout.addWidget(self.odds)
        self.fields += [self.epsilon, self.delta]
        return frame

    def _target(self, known: Mapping[str, Any]) -> QFrame:
        frame, layout = card(N_("Target"))
        row = QHBoxLayout()
        row.setSpacing(4)
        target = BoxField(self.store, "target", known["target"], 3, apart=True)
        unit = ComboField(self.store, "target_unit", known["target_unit"])
        unit.combo.setMinimumContentsLength(2)
        confidence = PercentField(self.store, "confidence", known["confidence"], 4, apart=True)
        for widget in (label(tr(N_("within ±"))), target, unit, label(tr(N_("at"))), confidence):
            row.addWidget(widget)
        row.addStretch()
        layout.addLayout(row)
        layout.addWidget(target.complaint)
        layout.addWidget(confidence.complaint)
        foot = QHBoxLayout()
        self.needed = Live("good", wrap=True)
        self.use = QPushButton(tr(N_("Use")))
        self.use.setToolTip(tr(N_("Set ε to what the target needs")))
        self.use.clicked.connect(self._use)
        foot.addWidget(self.needed, 1)
        foot.addWidget(self.use)
        layout.addLayout(foot)
        self.fields += [target, unit, confidence]
        return frame

    def _many(self, known: Mapping[str, Any]) -> QFrame:
        frame, layout = card(N_("Many answers"))
        for name in ("answers", "slack"):
            field = SliderField(self.store, name, known[name])
            layout.addWidget(field)
            self.fields.append(field)
        self.crossing = Live("muted", wrap=True)
        layout.addWidget(self.crossing)
        return frame

    def _drawing(self, known: Mapping[str, Any]) -> QFrame:
        frame, layout = card(N_("Drawing"))
        grid = QGridLayout()
        grid.setSpacing(6)
        for row, name in enumerate(("measure", "beside")):
            grid.addWidget(label(tr(known[name].label), "muted"), row, 0)
            choice = ComboField(self.store, name, known[name])
            grid.addWidget(choice, row, 1)
            self.fields.append(choice)
        grid.setColumnStretch(1, 1)
        layout.addLayout(grid)
        self.part = PartField(self.store, known["part"])
        self.largest = FlagField(self.store, "largest", known["largest"])
        flags = [FlagField(self.store, name, known[name]) for name in ("relative", "show_truth")]
        sliders = [SliderField(self.store, name, known[name]) for name in ("trials", "dots")]
        for field in (self.part, self.largest, *flags, *sliders):
            layout.addWidget(field)
            self.fields.append(field)
        last = QHBoxLayout()
        seed = BoxField(self.store, "seed", known["seed"])
        last.addWidget(label(tr(N_("Seed")), "muted"))
        last.addWidget(seed, 1)
        layout.addLayout(last)
        self.fields.append(seed)
        return frame

    def _use(self) -> None:
        try:
            self.store.set("mechanism.epsilon", self.use.property("epsilon"))
        except ParamError as error:
            self.epsilon.complaint.say(error.sentence)

    def dress(self, look: Look) -> None:
        for mechanism in MECHANISMS:
            button = self.mechanisms.buttons[mechanism.key]
            button.setIcon(_sketch(mechanism, look))
            button.setIconSize(QSize(look.px(44), look.px(20)))

    def show_state(self) -> None:
        lab = self.store.lab
        assert isinstance(lab, Explore)
        self.question.show_state()
        shape = (lab.query.key, lab.mechanism.pure, len(self.question.condition.rows))
        if shape != self._shape:
            self._shape = shape
            self.rearranged.emit()
        for field in self.fields:
            field.show_state()
        self.mechanisms.show_choice(lab.mechanism.key, self._refused)
        pure = lab.mechanism.pure
        kind = tr(N_("pure ε-DP")) if pure else tr(N_("(ε, δ)-DP"))
        noise = tr(N_("noise {law}")).format(law=lab.mechanism.formula)
        self.formula.show_text(f"{kind}  ·  {noise}")
        self.delta_tip.setVisible(not pure)
        if self.store.data is not None and self.store.data.rows:
            n = self.store.data.rows
            self.delta_tip.setText(shown(say(N_("1/n² = {delta} for this table"), delta=Num(1 / n**2))))

    def show_findings(self, findings: Findings) -> None:
        self.question.show_findings(findings)
        self.part.show_labels(findings.labels)
        self._refused = findings.refused.get("mechanism", {})
        self.mechanisms.show_choice(self.store.lab.mechanism.key, self._refused)  # type: ignore[attr-defined]
        notes = [p for p in findings.problems if p.field.startswith("mechanism")]
        bad = self._violated(findings) or any(p.stops for p in notes)
        self.warning.say(Say(" ".join(shown(p.say) for p in notes).replace("{", "{{").replace("}", "}}")), "bad" if bad else "warn")
        if not findings.figures:
            for words in (self.odds, self.crossing, self.needed):
                words.show_text("")
            self.use.setEnabled(False)
            return
        self.odds.show_text(shown(findings.sentence("odds").say))
        self.crossing.show_text(shown(findings.sentence("crossover").say))
        needed = findings.sentence("needed")
        self.needed.show_text(shown(needed.say))
        if self.needed.objectName() != needed.tone:
            self.needed.setObjectName(needed.tone)
            self.needed.style().unpolish(self.needed)
            self.needed.style().polish(self.needed)
        epsilon = needed.say.values.get("epsilon")
        low, high = (domains(MECHANISMS[0])["epsilon"].low, domains(MECHANISMS[0])["epsilon"].high)  # type: ignore[attr-defined]
        usable = isinstance(epsilon, Num) and low <= epsilon.value <= high
        self.use.setEnabled(usable)
        tip = N_("Set ε to what the target needs") if usable else N_("What the target needs lies outside the slider")
        self.use.setToolTip(tr(tip))
        # Rounded up in the fourth place: what is set meets the target.
        self.use.setProperty(
            "epsilon", float(str(Num(epsilon.value, 4, "up")).replace(",", "")) if usable and isinstance(epsilon, Num) else None
        )

    def _violated(self, findings: Findings) -> bool:
        return any(s.key == "promise" and s.tone == "bad" for s in findings.sentences)


class PercentField(BoxField):
    """A share that is typed and shown in percent."""

    def _given(self, text: str) -> None:
        try:
            share = float(text.replace("%", "").replace(",", ".").strip()) / 100
            self.domain.check(share)
        except (ValueError, ParamError):
            assert isinstance(self.domain, Real)
            low, high = f"{100 * self.domain.low:g}", f"{100 * self.domain.high:g}"
            self.complaint.say(say(N_("“{value}” is not a number from {low} to {high} (%)."), value=text.strip(), low=low, high=high))
            self.box.refuse()
            return
        self.ask(share)
        self.show_state()

    def show_state(self) -> None:
        self.box.show_text(f"{100 * self.value():.6g} %")
        if not self.box.isModified():
            self.complaint.say("")


def _sketch(mechanism: Any, look: Look) -> QIcon:
    """The shape of the noise as a small line."""
    import numpy as np

    law = mechanism.sketch()
    width, height, ratio = look.px(44), look.px(20), 2
    picture = QPixmap(width * ratio, height * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    x = np.linspace(-4, 4, 81)
    y = law.density(np.round(x) if law.discrete else x)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = painter.pen()
    pen.setColor(look.color(mechanism.ink))
    pen.setWidthF(1.5)
    painter.setPen(pen)
    painter.drawPolyline(
        QPolygonF([QPointF(width * (a + 4) / 8, height - 2 - (height - 4) * b / y.max()) for a, b in zip(x, y, strict=True)])
    )
    painter.end()
    return QIcon(picture)
