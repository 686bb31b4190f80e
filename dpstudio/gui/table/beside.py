"""The table that is opened beside the first, by the same reader: what of it the store and a session
keep."""

from collections.abc import Callable

from dpstudio.files.asking import Kept
from dpstudio.files.session import SUFFIX, TALK, Second
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.state.store import Store
from dpstudio.gui.table.reading import Request, TableRead, found_beside
from dpstudio.values.messages import N_, named, say

Held = tuple[Second | None, TableRead | None]


class SecondTable:
    """At most one table stands beside the first; another first table sends it away. `load` reads,
    `tell` shows a sentence, `ask` asks a person for a file. `saved` is what a session says of it,
    as long as it could not be read."""

    def __init__(
        self,
        store: Store,
        load: Callable[[Request], object],
        tell: Callable[..., None],
        ask: Callable[[], object],
    ):
        self.store, self.ask, self._load, self._tell = store, ask, load, tell
        self.saved: Second | None = None
        self.first = ""  # what the start asks for
        self._got: TableRead | None = None

    def open(self, where: str) -> None:
        """Read a table, to stand beside the one that is open."""
        if where.endswith((SUFFIX, TALK)):
            text = N_("A session or a talk is no table: open a table beside this one.")
            self._tell(tr(text), tone="warn")
        elif self.store.data is not None:
            self._load(Request(where, beside=True, unsaved=True))

    def follow(self, request: Request) -> None:
        """Another first table was opened: read what the start asks for beside it, or what stood
        there when its session was saved."""
        if request.again:
            return
        where, self.first = self.first, ""
        if where:
            self.open(where)
            return
        second = self.saved = request.session.second if request.session is not None else None
        if second is not None:
            self.bring(second, found_beside(request.path, second.table))

    def bring(self, second: Second, where: str) -> Request:
        """Read what a file says stood beside the first, where it is now; the request."""
        kept = Kept(second.digest, second.reading) if second.reading is not None else None
        request = Request(where, beside=True, kept=kept, digest=second.digest)
        self._load(request)
        return request

    def accept(self, got: TableRead) -> None:
        """It stands there from now on."""
        self._got, request, data = got, got.request, got.opened.data
        self.saved = None
        self.store.stand(data)
        if request.unsaved:
            self.store.history.setUnclean()
            text = N_("“{name}” is open beside this table, for the pages that read two.")
            self._tell(shown(say(text, name=named(data.name))), tone="good")
        elif request.digest and request.digest != data.digest:
            text = N_("“{name}”, beside this table, has changed since this was saved.")
            self._tell(shown(say(text, name=named(data.name))), tone="warn")

    def close(self) -> None:
        """Nothing stands beside the first any more."""
        if self.second is None:
            self._tell(tr(N_("No second table is open.")), tone="warn")
            return
        self._got = self.saved = None
        self.store.stand(None)
        self.store.history.setUnclean()

    def held(self) -> Held:
        """What is known of it beside the store, to be put back."""
        return self.saved, self._got

    def put_back(self, held: Held) -> None:
        """The same again."""
        self.saved, self._got = held

    @property
    def second(self) -> Second | None:
        """What a session keeps of it."""
        return self.stands or self.saved

    @property
    def stands(self) -> Second | None:
        """What a step of a talk keeps of it: none where it could not be read."""
        data, got = self.store.second, self._got
        if data is None:
            return None
        asked = got is not None and got.asked and got.opened.data is data
        reading = got.opened.report.choices if got is not None and asked else None
        return Second(data.origin, data.digest, reading)
