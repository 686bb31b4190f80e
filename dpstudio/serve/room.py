"""A room that is open: its server in a thread of its own with its own event loop, and what the
window may ask of it."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Self

from dpstudio.files.alone import alone
from dpstudio.privacy.room import Question, Reports
from dpstudio.serve.certificate import certificate
from dpstudio.serve.door import Codes, Door
from dpstudio.serve.intake import Counts, Intake
from dpstudio.serve.kept import RoomError, Standing, open_kept
from dpstudio.serve.limits import Gate
from dpstudio.values.messages import N_, Translate, because, say, unchanged

if TYPE_CHECKING:
    from dpstudio.serve.pages import Pages

LOOPBACK = "127.0.0.1"
EVERYWHERE = ("", "0.0.0.0", "::")  # then nobody could tell a name that is not the room's
PULSE = 0.1  # seconds at least between two calls of `on_change`
_DRAIN, _PATIENCE, _HANDSHAKE, _WAITING = 5.0, 1.0, 10.0, 256


def _nothing() -> None:
    """Who does not want to be told."""


class Room:
    """One open room, made by `start`. Its methods are for any thread but the room's own, and none
    of them waits for a phone.

    Nobody but the program that opened it has the presenter's part: no page opens or closes a
    question, or tells what was answered.
    """

    def __init__(
        self, pages: Pages, listening: socket.socket, pem: Path | None, held: ExitStack
    ) -> None:
        self.address = f"{pages.origin}/{pages.intake.kept.token}/"
        self.fingerprint: str | None = None
        self.on_change: Callable[[], None] = _nothing
        self._pages, self._listening, self._pem, self._held = pages, listening, pem, held
        self._intake = pages.intake
        self._pulsed, self._pulsing = -PULSE, False
        self._ready, self._failed = Event(), list[BaseException]()
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = Thread(target=self._run, name="room", daemon=True)

    @classmethod
    def start(
        cls,
        questions: Iterable[Question],
        kept: Path,
        door: Door,
        tls: bool = False,
        host: str = LOOPBACK,
        port: int = 0,
        on_change: Callable[[], None] = _nothing,
        translate: Translate = unchanged,
        language: str = "en",
    ) -> Self:
        """Open a room on one address of this machine, its questions closed at first, or as the
        folder `kept` remembers them. Port 0 is the one of the last time, or any that is free.
        `on_change` is called from the room's thread, at most ten times a second.
        `language` is the tag of the one that `translate` gives. Raises RoomError."""
        if host in EVERYWHERE:
            text = N_(
                "A room is opened at one address of this machine, not at all of them: {host}."
            )
            raise RoomError(say(text, host=host))
        with ExitStack() as undone:
            try:
                undone.enter_context(alone(kept / "room", wait=False))
                room = cls._opened(undone, list(questions), kept, door, tls, host, port)
            except BlockingIOError:
                text = N_("{path} is open in another window. Stop the room there first.")
                raise RoomError(say(text, path=kept)) from None
            except OSError as error:
                text = N_("{path}, where a room keeps its reports, cannot be used: {why}.")
                raise RoomError(say(text, path=kept, why=because(error))) from error
            room._pages.speak(translate, language)
            room._held = undone.pop_all()
        room.on_change = on_change
        room._thread.start()
        room._ready.wait()
        if room._failed:
            raise room._failed[0]
        return room

    @classmethod
    def _opened(
        cls,
        undone: ExitStack,
        questions: list[Question],
        folder: Path,
        door: Door,
        tls: bool,
        host: str,
        port: int,
    ) -> Self:
        from dpstudio.serve.pages import Pages  # and aiohttp with it

        kept = open_kept(folder, questions, door)
        pem, fingerprint = certificate(folder, host) if tls else (None, None)
        listening = undone.enter_context(_listening(host, port, kept.port))
        kept.port = listening.getsockname()[1]
        kept.save()
        origin, hosts = names(host, kept.port, tls)
        often, gate = not isinstance(door, Codes), Gate(host)
        pages = Pages(Intake(kept), origin, hosts, often, gate=gate)
        room = cls(pages, listening, pem, undone)
        room.fingerprint = fingerprint
        pages.changed = room._pulse
        return room

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # What the window asks

    @property
    def codes(self) -> tuple[str, ...]:
        """The single-use codes, none at an open door."""
        return tuple(sorted(self._intake.kept.codes))

    def address_of(self, code: str) -> str:
        """The address that brings its code along, in the part that no server is told."""
        return f"{self.address}#{code}"

    @property
    def counts(self) -> Counts:
        """What came, as of now."""
        return self._intake.counts

    @property
    def reports(self) -> Reports:
        """All reports that are kept; the same tuple until another one comes."""
        return self._intake.reports

    @property
    def standing(self) -> Mapping[str, Standing]:
        """Of every question whether it is open, and in which round."""
        return {key: self._intake.standing(key) for key in tuple(self._intake.kept.questions)}

    @property
    def questions(self) -> Mapping[str, Question]:
        """All that was asked, also before this start, by their keys."""
        return dict(self._intake.kept.questions)

    @property
    def damaged(self) -> int:
        """Lines of the folder's reports that could not be read, and are passed over."""
        return self._intake.kept.damaged

    def open(self, key: str) -> None:
        """Take answers, in the round that it was closed in. Raises KeyError, OSError, as the next
        two do."""
        self._stand(key, open=True)

    def close(self, key: str) -> None:
        """Take no more answers."""
        self._stand(key, open=False)

    def reopen(self, key: str) -> None:
        """Ask everyone anew: who answers again spends again."""
        self._stand(key, open=True, round=self._intake.standing(key).round + 1)

    def _stand(self, key: str, **change: Any) -> None:
        self._intake.set_standing(key, replace(self._intake.standing(key), **change))
        self._loop.call_soon_threadsafe(self._stood)

    def stop(self) -> None:
        """Close the room: what came is kept, and the address answers no more."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    # On the room's thread

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as error:
            self._failed.append(error)
        finally:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()
            self._held.close()
            self._ready.set()

    async def _serve(self) -> None:
        pages, loop = self._pages, self._loop
        loop.set_exception_handler(_quiet)
        server = pages.server()
        secure: dict[str, Any] = {}
        if self._pem is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self._pem)
            secure = {"ssl": context, "ssl_handshake_timeout": _HANDSHAKE}
        door = await loop.create_server(server, sock=self._listening, backlog=_WAITING, **secure)
        self._writing = loop.create_task(pages.write())  # held, or it would be collected
        self._ready.set()
        await self._over.wait()
        door.close()
        try:
            async with asyncio.timeout(_DRAIN):
                await pages.waiting.join()
        except TimeoutError:
            pass
        for _, cut in list(pages.strangers.values()):  # they would be waited for
            cut()
        for line in list(server.connections):  # each ends as soon as it has its answer
            line.close()
        await server.shutdown(_PATIENCE)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _stood(self) -> None:
        self._pages.standings += 1
        self._pulse()

    def _pulse(self) -> None:
        """Tell that something changed, now or a moment later, at most ten times a second."""
        if self._pulsing:
            return
        self._pulsing = True
        self._loop.call_at(max(self._loop.time(), self._pulsed + PULSE), self._beat)

    def _beat(self) -> None:
        self._pulsing, self._pulsed = False, self._loop.time()
        self.on_change()


def _quiet(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A connection that broke is no news, and its message would name an address."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)


def _listening(host: str, port: int, before: int) -> socket.socket:
    """A socket at that port; without one at that of the last time, or else at any. Raises
    RoomError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if not port and before:
        try:
            return socket.create_server((host, before), family=family)
        except OSError:
            pass
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        text = N_("No room can be opened at {host}: {why}. Choose another address or port.")
        raise RoomError(say(text, host=host, why=because(error))) from error


def names(host: str, port: int, tls: bool) -> tuple[str, frozenset[str]]:
    """The origin of a room's pages, and the names that a browser may call it by: under any other,
    somebody else's page has been led here."""
    at = (f"[{host}]" if ":" in host else host).lower()
    scheme, usual = ("https", 443) if tls else ("http", 80)
    named = at if port == usual else f"{at}:{port}"
    return f"{scheme}://{named}", frozenset((named, f"{at}:{port}"))
