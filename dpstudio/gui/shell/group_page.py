"""The page of a group: a tile for each of its pages, with the question that it answers and a
picture of what it shows of the table that is open."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QVBoxLayout

from dpstudio.data.dataset import Dataset
from dpstudio.gui.parts.buttons import push
from dpstudio.gui.parts.labels import label
from dpstudio.gui.parts.theme import Theme
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.shell.tiles import GAP, Tile, TilePage, picture
from dpstudio.gui.state.jobs import Jobs, Work
from dpstudio.gui.state.shared_settings import suited
from dpstudio.gui.state.store import Store
from dpstudio.labs import LABS, About, Group, Lab
from dpstudio.labs.context import LITTLE, Context
from dpstudio.values.messages import N_, Message, enumerated, say, with_name


class GroupPage(TilePage):
    """`chosen(key)`: a page is wanted; `neared(key)`: it may be soon."""

    chosen = Signal(str)
    neared = Signal(str)

    def __init__(
        self, group: Group, pages: Sequence[About], store: Store, jobs: Jobs, theme: Theme
    ):
        super().__init__(theme)
        self.store, self.pages = store, pages
        self.drawer = jobs.channel("tiles")  # one picture after the other, in the background
        self.drawer.value.connect(self._on_value)
        # What the pictures are of, and which of them are there.
        self._of: tuple[object, ...] = ()
        self._done = set[str]()
        self.column.addWidget(label(tr(group.label), "page-name"))
        self.column.addWidget(label(tr(group.asks), "headline", wrap=True))
        self.column.addSpacing(GAP // 2)
        part, into = "", self.column
        # What has no picture stands in rows of its own: beside one it would be an empty box.
        for (waits, own, _), abouts in groupby(
            pages, lambda about: (about.more, about.part, about in LABS)
        ):
            if waits and into is self.column:
                into = self._add_more()
            if own not in ("", part):
                part = own
                into.addWidget(label(tr(part), "head"))
            into.addLayout(self.add_grid())
            for about in abouts:
                self._add(about)
        self.column.addStretch(1)

    def _add_more(self) -> QVBoxLayout:
        """The column of what waits, below the name that folds it open."""
        self.more, self.waiting = push(tr(N_("more"))), QFrame()
        self.more.setObjectName("fold")
        self.more.setCheckable(True)
        self.more.toggled.connect(self.waiting.setVisible)
        self.more.toggled.connect(self._tell_more)
        column = QVBoxLayout(self.waiting)
        column.setContentsMargins(0, 0, 0, 0)
        self._tell_more(False)
        self.waiting.hide()
        self.column.addWidget(self.more)
        self.column.addWidget(self.waiting)
        return column

    def _tell_more(self, opened: bool) -> None:
        names = enumerated(Message(about.label) for about in self.pages if about.more)
        listed = with_name(say("more"), names)
        self.more.setText(f"{'▾' if opened else '▸'}  {shown(listed)}")
        said = N_("{name}, open") if opened else N_("{name}, folded")
        self.more.setAccessibleName(shown(say(said, name=listed)))
        self.rearranged.emit()

    def _add(self, about: About) -> None:
        tile = Tile(tr(about.asks), tr(about.useful), tr(about.label))
        told = with_name(Message(about.label), Message(about.asks))
        tile.go.setAccessibleName(shown(told))
        tile.setToolTip(tr(about.help))
        tile.picture.setVisible(about in LABS)  # another has none
        tile.wanted.connect(partial(self.chosen.emit, about.key))
        tile.neared.connect(partial(self.neared.emit, about.key))
        self.add_tile(about.key, tile)

    def begin(self) -> None:
        """The page is opened, or the table has changed: draw what is not drawn as it is now."""
        data, dark, scale = self.store.data, self.theme.look.dark, self.scale
        of = (data, self.store.state, self.store.opened, dark, scale)
        if data is None:
            return
        if of != self._of:
            self._of, self._done = of, set()
            self.draw_again()
        left = [about for about in self.pages if about in LABS and about.key not in self._done]
        if left:
            work = partial(_pictures, left, self.store.opening(), data, dark, scale)
            self.drawer.submit(work, cancel=True)

    def leave(self) -> None:
        """The page is left: what is not drawn yet can wait."""
        self.drawer.cancel()

    def _on_value(self, found: tuple[str, QImage]) -> None:
        key, image = found
        if key in self.tiles:  # the channel serves every group
            self._done.add(key)
            self.tiles[key].show_picture(image)


def _pictures(
    pages: Sequence[About],
    lab_of: Callable[[str], Lab],
    data: Dataset,
    dark: bool,
    scale: float,
    work: Work,
) -> Iterator[tuple[str, QImage]]:
    """A picture of each page that has something to show of a table."""
    for about in pages:
        if work.cancelled():
            return
        image = _picture(suited(lab_of(about.key), data), data, dark, scale, work)
        if image is not None:
            yield about.key, image


def _picture(lab: Lab, data: Dataset, dark: bool, scale: float, work: Work) -> QImage | None:
    """The first chart of the first findings that have one."""
    context = Context(data, effort=LITTLE, cancelled=work.cancelled)
    shows = (found.figures[0] for found in lab.run(context) if found.figures)
    first = next(shows, None)
    return None if first is None else picture(first, dark, scale, frozenset())
