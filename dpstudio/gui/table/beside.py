"""The table that is opened beside the first, by the same reader: what of it the store and a session
keep."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dpstudio.files.asking import Kept
from dpstudio.files.session import SUFFIX, TALK, Second
from dpstudio.gui.parts.tr import shown, tr
from dpstudio.gui.table.reading import Got, Request, found_beside
from dpstudio.values.messages import N_, say

if TYPE_CHECKING:
    from dpstudio.gui.table.opening import Opener


class Beside:
    """At most one table stands beside the first; another first table sends it away."""

    def __init__(self, opener: Opener):
        self.opener, self.store, self.bar = opener, opener.store, opener.bar
        self._got: Got | None = None

    def open(self, where: str) -> None:
        """Read a table, to stand beside the one that is open."""
        if where.endswith((SUFFIX, TALK)):
            text = N_("A session or a talk is no table: open a table beside this one.")
            self.bar.say(tr(text), tone="warn")
        elif self.store.data is not None:
            self.opener.load(Request(where, beside=True, unsaved=True))

    def ask(self) -> None:
        """Ask which."""
        self.opener.another.emit()

    def of_session(self, request: Request) -> None:
        """Read the table that stood beside the first when a session was saved."""
        second = request.session.second if request.session is not None else None
        if second is not None:
            where = found_beside(request.path, second.table)
            kept = Kept(second.digest, second.reading) if second.reading is not None else None
            self.opener.load(Request(where, beside=True, kept=kept, digest=second.digest))

    def accept(self, got: Got) -> None:
        """It stands there from now on."""
        self._got, request, data = got, got.request, got.opened.data
        self.store.stand(data)
        if request.unsaved:
            self.store.history.setUnclean()
            text = N_("{name} is open beside this table, for the pages that read two.")
            self.bar.say(shown(say(text, name=tr(data.name))), tone="good")
        elif request.digest and request.digest != data.digest:
            text = N_("{name}, beside this table, has changed since this was saved.")
            self.bar.say(shown(say(text, name=tr(data.name))), tone="warn")

    def close(self) -> None:
        """Nothing stands beside the first any more."""
        if self.second is None:
            self.bar.say(tr(N_("No second table is open.")), tone="warn")
            return
        now = self.opener.open_now
        if now is not None and now.request.session is not None:
            session = replace(now.request.session, second=None)
            self.opener.open_now = replace(now, request=replace(now.request, session=session))
        self._got = None
        self.store.stand(None)
        self.store.history.setUnclean()

    @property
    def second(self) -> Second | None:
        """What a session keeps of it; also where it was saved so and cannot be found now."""
        data, now, got = self.store.second, self.opener.open_now, self._got
        if data is not None and got is not None:
            reading = got.opened.report.choices if got.asked else None
            return Second(data.origin, data.digest, reading)
        session = now.request.session if now is not None else None
        return session.second if session is not None else None
