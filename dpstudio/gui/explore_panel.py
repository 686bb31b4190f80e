"""The side panels of Explore: the question, the mechanism, privacy, the target, many answers, drawing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpstudio.core.dataset import Dataset
from dpstudio.core.findings import Findings
from dpstudio.core.labs.explore import Explore
from dpstudio.core.mechanisms import MECHANISMS
from dpstudio.core.params import ParamError, domains
from dpstudio.core.queries import QUERIES
from dpstudio.core.queries.query import Clipping
from dpstudio.core.wording import N_, Num, Say, say
from dpstudio.gui.condition_form import ConditionForm
from dpstudio.gui.form import BoxField, ComboField, Complaint, Field, FlagField, Segments, SliderField, combo, label
from dpstudio.gui.store import Store
from dpstudio.gui.theme import Look, Theme
from dpstudio.gui.tr import shown, tr

ASKS = {
    "count": N_("How many rows have"), "sum": N_("The sum of"), "mean": N_("The mean of"), "histogram": N_("How many rows there are by"),
}  # fmt: skip


def card(title: str) -> tuple[QFrame, QVBoxLayout]:
    """A panel with a small heading."""
    frame = QFrame()
    frame.setObjectName("card")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(14, 10, 14, 12)
    layout.setSpacing(7)
    layout.addWidget(label(tr(title).upper(), "head"))
    return frame, layout


class ColumnField(Field):
    """A column of the table, those that cannot serve left out."""

    def __init__(self, store: Store, numeric: bool):
        super().__init__(store, "query.column", domains(QUERIES[1])["column"])
        self.numeric = numeric
        self.combo = combo(N_("Column"))
        self.data: Dataset | None = None
        self.combo.activated.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.combo)
        layout.addWidget(self.complaint)
        self.setFocusProxy(self.combo)

    def _choose(self, place: int) -> None:
        column = self.combo.itemData(place)
        lab = self.store.lab
        if isinstance(lab, Explore) and self.store.data is not None and column != self.value():
            # Bounds, edges and categories belonged to the other column.
            gone = {
                n: type(lab.query)().__getattribute__(n)
                for n in ("low", "high", "edges", "categories", "attested")
                if hasattr(lab.query, n)
            }
            self.store.edit(lab.with_(query=lab.query.with_(column=column, **gone)).suited(self.store.data))

    def show_state(self) -> None:
        data, value = self.store.data, self.value()
        if value is None or data is None:
            return
        if data is not self.data:
            self.combo.clear()
            for info in data.columns:
                if info.numeric or (not self.numeric and info.type != "other"):
                    self.combo.addItem(info.name, info.name)
            self.data = data
        if self.combo.findData(value) < 0:
            self.combo.addItem(value, value)
        self.combo.setCurrentIndex(self.combo.findData(value))


class Question(QWidget):
    """What is asked: the kind of query as a row of buttons, then the sentence."""

    def __init__(self, store: Store):
        super().__init__()
        self.store = store
        self.kinds = Segments({q.key: q.label for q in QUERIES}, fluid=True)
        self.kinds.chosen.connect(lambda key: store.choose("query", key))
        self.asks = label("")
        self.where_word = label(tr(N_("over the rows with")), "muted")
        self.condition = ConditionForm(store)
        self.note = label("", "muted", wrap=True)
        self.open = Complaint()
        self.problem = Complaint()
        self.forms: dict[str, list[Field]] = {}
        self.bodies: dict[str, QWidget] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.kinds)
        layout.addWidget(self.asks)
        for query in QUERIES[1:]:
            body = self._body(query)
            self.bodies[query.key] = body
            layout.addWidget(body)
        for widget in (self.where_word, self.condition, self.problem, self.open, self.note):
            layout.addWidget(widget)

    def _body(self, query: type[Any]) -> QWidget:
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        known = domains(query)
        clipping = issubclass(query, Clipping)
        fields: list[Field] = [ColumnField(self.store, numeric=clipping)]
        grid.addWidget(fields[0], 0, 0, 1, 4)
        low, high = (BoxField(self.store, f"query.{name}", known[name]) for name in ("low", "high"))
        fields += [low, high]
        words = (N_("clipped to"), N_("to")) if clipping else (N_("from"), N_("to"))
        self._row(grid, 1, label(tr(words[0]), "muted"), low, label(tr(words[1]), "muted"), high)
        row = 2
        if query.key == "histogram":
            for name, text in (("bins", N_("intervals")), ("edges", N_("or edges")), ("categories", N_("categories"))):
                field = BoxField(self.store, f"query.{name}", known[name])
                fields.append(field)
                word = label(tr(text), "muted")
                field.caption = word  # type: ignore[attr-defined]
                grid.addWidget(word, row, 0)
                grid.addWidget(field, row, 1, 1, 3)
                row += 1
        if query.key == "mean":
            split = SliderField(self.store, "query.split", known["split"])  # type: ignore[arg-type]
            fields.append(split)
            grid.addWidget(split, row, 0, 1, 4)
            row += 1
        for name in ("attested", "centred", "n_public"):
            if name in known:
                flag = FlagField(self.store, f"query.{name}", known[name])  # type: ignore[arg-type]
                fields.append(flag)
                grid.addWidget(flag, row, 0, 1, 4)
                row += 1
        self.forms[query.key] = fields
        return body

    def _row(self, grid: QGridLayout, row: int, *widgets: QWidget) -> None:
        for column, widget in enumerate(widgets):
            grid.addWidget(widget, row, column)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)

    def show_state(self) -> None:
        lab = self.store.lab
        assert isinstance(lab, Explore)
        key = lab.query.key
        self.kinds.show_choice(key)
        self.asks.setText(tr(ASKS.get(key, "")))
        for name, body in self.bodies.items():
            body.setVisible(name == key)
        self.where_word.setVisible(key != "count")
        for field in self.forms.get(key, ()):
            field.show_state()
        if key == "histogram" and self.store.data is not None and self.store.data.has(lab.query.column):  # type: ignore[attr-defined]
            self._arrange_histogram(self.store.data.info(lab.query.column).numeric)  # type: ignore[attr-defined]
        self.condition.show_state()

    def _arrange_histogram(self, numeric: bool) -> None:
        for field in self.forms["histogram"]:
            name = field.path.split(".")[1]
            if name in ("low", "high", "bins", "edges", "categories"):
                field.setVisible((name == "categories") != numeric)
                caption = getattr(field, "caption", None)
                if caption is not None:
                    caption.setVisible((name == "categories") != numeric)
        grid = self.bodies["histogram"].layout()
        assert isinstance(grid, QGridLayout)
        for column in (0, 2):
            item = grid.itemAtPosition(1, column)
            word = item.widget() if item is not None else None
            if word is not None:
                word.setVisible(numeric)

    def show_findings(self, findings: Findings) -> None:
        stops = [p for p in findings.problems if p.stops and p.field.startswith(("query", "data"))]
        self.problem.say(stops[0].say if stops else "")
        notes = [p for p in findings.problems if not p.stops and p.field == "query.attested"]
        text = " ".join(shown(p.say) for p in notes)
        self.open.say(Say(text) if text else "", "warn")
        self.note.setText(shown(findings.sentence("sensitivity").say) if findings.figures else "")
        self.note.setVisible(bool(self.note.text()))
        self._propose()

    def _propose(self) -> None:
        """Show the bounds in force in the boxes that were left empty."""
        lab, data = self.store.lab, self.store.data
        if not isinstance(lab, Explore) or data is None or lab.query.key not in self.forms:
            return
        try:
            if isinstance(lab.query, Clipping):
                low, high = lab.query.bounds(data)
            else:
                edges, _ = lab.query.parts(data)  # type: ignore[attr-defined]
                low, high = (edges[0], edges[-1]) if edges else (0, 0)
        except ParamError:
            return
        for field in self.forms[lab.query.key]:
            if isinstance(field, BoxField):
                name = field.path.split(".")[1]
                words = {
                    "low": f"{low:g}",
                    "high": f"{high:g}",
                    "categories": tr(N_("all in the data")),
                    "edges": tr(N_("such as 0, 10, 20")),
                }
                field.propose(words.get(name, ""))


class ExplorePanel(QWidget):
    """The whole column of cards. `show_state` after each change, `show_findings` with each outcome."""

    def __init__(self, store: Store, theme: Theme):
        super().__init__()
        self.store, self.theme = store, theme
        self.fields: list[Field] = []
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
        self.formula = label("", "muted", wrap=True)
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
        self.odds = label("", wrap=True)
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
        row.setSpacing(6)
        target = BoxField(self.store, "target", known["target"], 64)
        unit = ComboField(self.store, "target_unit", known["target_unit"])
        unit.combo.setFixedWidth(72)
        confidence = PercentField(self.store, "confidence", known["confidence"], 66)
        for widget in (label(tr(N_("within ±"))), target, unit, label(tr(N_("at"))), confidence):
            row.addWidget(widget)
        row.addStretch()
        layout.addLayout(row)
        foot = QHBoxLayout()
        self.needed = label("", "good", wrap=True)
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
        self.crossing = label("", "muted", wrap=True)
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
        for field in self.fields:
            field.show_state()
        refused = lab.refused(self.store.data)["mechanism"] if self.store.data is not None and not self._stopped(lab) else {}
        self.mechanisms.show_choice(lab.mechanism.key, refused)
        pure = lab.mechanism.pure
        kind = tr(N_("pure ε-DP")) if pure else tr(N_("(ε, δ)-DP"))
        self.formula.setText(f"{kind}  ·  {tr(N_('noise'))} {lab.mechanism.formula}")
        self.delta_tip.setVisible(not pure)
        if self.store.data is not None and self.store.data.rows:
            n = self.store.data.rows
            self.delta_tip.setText(shown(say(N_("1/n² = {delta} for this table"), delta=Num(1 / n**2))))

    def _stopped(self, lab: Explore) -> bool:
        return self.store.data is None or any(p.stops and p.field != "mechanism" for p in lab.problems(self.store.data))

    def show_findings(self, findings: Findings) -> None:
        self.question.show_findings(findings)
        stop = next((p for p in findings.problems if p.field.startswith("mechanism")), None)
        self.warning.say(stop.say if stop else "", "bad" if stop and (stop.stops or self._violated(findings)) else "warn")
        if not findings.figures:
            return
        self.odds.setText(shown(findings.sentence("odds").say))
        self.crossing.setText(shown(findings.sentence("crossover").say))
        needed = findings.sentence("needed")
        self.needed.setText(shown(needed.say))
        if self.needed.objectName() != needed.tone:
            self.needed.setObjectName(needed.tone)
            self.needed.style().unpolish(self.needed)
            self.needed.style().polish(self.needed)
        epsilon = needed.say.values.get("epsilon")
        low, high = (domains(MECHANISMS[0])["epsilon"].low, domains(MECHANISMS[0])["epsilon"].high)  # type: ignore[attr-defined]
        usable = isinstance(epsilon, Num) and low <= epsilon.value <= high
        self.use.setEnabled(usable)
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
        except ValueError:
            share = text  # type: ignore[assignment]
        if not self.ask(share):
            self.box.refuse()
        else:
            self.show_state()

    def show_state(self) -> None:
        self.box.show_text(f"{100 * self.value():.6g} %")
        if not self.box.isModified():
            self.complaint.say("")


class PartField(Field):
    """Which part of a histogram is looked at."""

    def __init__(self, store: Store, domain: Any):
        super().__init__(store, "part", domain)
        self.combo = combo(N_("Part"))
        self.labels: tuple[str, ...] = ()
        self.combo.activated.connect(lambda i: self.ask(self.combo.itemData(i)))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label(tr(N_("Look at")), "muted"))
        layout.addWidget(self.combo, 1)

    def show_state(self) -> None:
        lab, data = self.store.lab, self.store.data
        assert isinstance(lab, Explore)
        vector = lab.query.key == "histogram" and data is not None
        self.setVisible(vector)
        if not vector or data is None:
            return
        try:
            labels = lab.query.ask(data, lab.adjacency).labels
        except ParamError:
            labels = ()
        if labels != self.labels:
            self.combo.clear()
            self.combo.addItem(tr(N_("the largest part")), -1)
            for place, text in enumerate(labels):
                self.combo.addItem(text, place)
            self.labels = labels
        self.combo.setCurrentIndex(max(0, self.combo.findData(lab.part)))


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


PanelMaker = Callable[[Store, Theme], QWidget]
