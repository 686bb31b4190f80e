"""What a room's server answers: six pages to whoever knows the address, and reports taken from
them. It is imported when a room is opened, as aiohttp is."""

import asyncio
import json
import logging
import secrets
from asyncio import Future, Queue
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from aiohttp import web

from dpstudio.files.assets import asset
from dpstudio.privacy.room import Report
from dpstudio.serve.intake import LARGEST, Intake, RefusedError
from dpstudio.serve.limits import Gate
from dpstudio.serve.words import ELSEWHERE, NOWHERE, page_html, room_json
from dpstudio.values.messages import Translate, unchanged

# Of a connection, in seconds: how long it lives, how long it has to end then, a body to come.
LIFE, END, BODY = 60.0, 10.0, 5.0
# How long who asks too much, or for another address, waits for the answer.
PAUSE = 0.5
HEADER = 4096  # bytes of a line or a field
STATUS = {
    "used": 409,
    "late": 410,
    "code": 403,
    "malformed": 400,
    "large": 413,
    "fast": 429,
    "foreign": 403,
    "lost": 404,
    "full": 507,
    "disk": 503,
}
# Nothing but the page's own files, no frame around it, nothing kept, nothing told onwards.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Server": "room",
}
_UNASKED = ("/favicon.ico", "/robots.txt", "/apple-touch-icon.png")
_KINDS = {
    "": "text/html",
    "page.css": "text/css",
    "coins.js": "text/javascript",
    "line.js": "text/javascript",
    "parts.js": "text/javascript",
    "page.js": "text/javascript",
}
_Waiting = tuple[Report, str, "Future[None]"]

SILENT = logging.Logger("dpstudio.serve")  # what goes wrong is counted, and nobody's address kept
SILENT.addHandler(logging.NullHandler())


@dataclass
class Pages:
    """The answers of one room, made on its one thread. `hosts` are the names it goes by."""

    intake: Intake
    origin: str
    hosts: frozenset[str]
    often: bool
    translate: Translate = unchanged
    changed: Callable[[], None] = lambda: None
    gate: Gate = field(default_factory=Gate)
    waiting: Queue[_Waiting] = field(default_factory=Queue)
    standings: int = 0  # counts their changes
    # Lines that have not asked for this room yet, the oldest first: of whom, and what ends them.
    strangers: dict[object, tuple[Hashable, Callable[[], None]]] = field(default_factory=dict)
    _told: tuple[int, bytes] = (-1, b"")
    _files: dict[str, bytes] = field(default_factory=dict)

    def speak(self, translate: Translate, language: str) -> None:
        """Say all in a language, before anybody is answered."""
        read = {name: asset("room", name).read_bytes() for name in _KINDS if name}
        self.translate = translate
        self._files = {"": page_html(translate, language), **read}

    def server(self) -> web.Server:
        """A server of this room's answers, with limits of its own on lines, fields and time."""
        pages = self

        class _Visit(web.RequestHandler):
            """One connection."""

            device: Hashable = None

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                self.device = pages.gate.device((transport.get_extra_info("peername") or "?")[0])
                loop = asyncio.get_running_loop()
                pages.strangers[self] = self.device, transport.abort  # type: ignore[attr-defined]
                if not pages.gate.enter(self.device):
                    pages.cut(self.device)
                elif pages.gate.full:
                    pages.cut()
                self._ends = [
                    loop.call_later(LIFE, self.close),
                    loop.call_later(LIFE + END, transport.abort),  # type: ignore[attr-defined]
                ]

            def connection_lost(self, exc: BaseException | None) -> None:
                pages.gate.leave(self.device)
                pages.strangers.pop(self, None)
                for end in self._ends:
                    end.cancel()
                super().connection_lost(exc)

            def handle_error(self, *_: object, **__: object) -> web.StreamResponse:
                """Of what is no HTTP, or too long for it."""
                return pages.refused("malformed")

        class _Server(web.Server):
            def __call__(self) -> web.RequestHandler:
                return _Visit(self, loop=self._loop, **self._kwargs)

        return _Server(
            self.answer,
            access_log=None,
            logger=SILENT,
            keepalive_timeout=15.0,
            max_line_size=HEADER,
            max_field_size=HEADER,
            max_headers=64,
            lingering_time=1.0,
            auto_decompress=False,
        )

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """The answer to one request, whatever it is."""
        try:
            return await self._answer(request)
        except RefusedError as error:
            told = {"lost": NOWHERE, "foreign": ELSEWHERE}.get(error.reason)
            if request.method == "GET" and told:  # what a person reads who typed another address
                self.refuse(error.reason)
                return self.reply(STATUS[error.reason], self.translate(told).encode())
            return self.refused(error.reason)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        device = getattr(request.protocol, "device", None)
        if not self.gate.passes(device, asyncio.get_running_loop().time()):
            await asyncio.sleep(PAUSE)
            raise RefusedError("fast")
        if request.headers.get("Host", "").lower() not in self.hosts:
            raise RefusedError("foreign")  # another name for this address (DNS rebinding)
        if request.raw_path in _UNASKED:
            return self.reply(404)
        token, _, name = request.raw_path.removeprefix("/").partition("/")
        own = self.intake.kept.token
        if not _same(token.upper(), own):
            await asyncio.sleep(PAUSE)
            raise RefusedError("lost")
        self.strangers.pop(request.protocol, None)
        if request.method == "GET" and not name and request.raw_path != f"/{own}/":
            answer = self.reply(307)  # typed in small letters, or without the last stroke
            answer.headers["Location"] = f"/{own}/"
            return answer
        if token != own:
            raise RefusedError("lost")
        if request.method == "POST" and name in ("code", "report"):
            self._own(request)
            body = await _body(request)
            return await self._take(body) if name == "report" else self._known(body)
        if request.method != "GET":
            raise RefusedError("lost")
        if name == "room":
            return self.reply(200, self._room(), "application/json")
        if name not in self._files:
            raise RefusedError("lost")
        return self.reply(200, self._files[name], _KINDS[name])

    def _known(self, body: bytes) -> web.StreamResponse:
        """What a code has answered, which a phone asks before it asks a person."""
        told = json.dumps({"answered": self.intake.answered(body)})
        return self.reply(200, told.encode(), "application/json")

    async def _take(self, body: bytes) -> web.StreamResponse:
        """Take a report; answered when the disk has it."""
        report, mark = self.intake.judge(body)
        kept: Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.put_nowait((report, mark, kept))
        await asyncio.shield(kept)
        return self.reply(200, b"{}", "application/json")

    def _own(self, request: web.BaseRequest) -> None:
        """Whether the room's own page sent it. A page of another origin cannot send JSON without
        asking first, and is not answered when it asks. Raises RefusedError."""
        headers = request.headers
        site = headers.get("Sec-Fetch-Site", "same-origin")
        if headers.get("Origin", self.origin).lower() != self.origin or site != "same-origin":
            raise RefusedError("foreign")
        kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json" or "Content-Encoding" in headers:
            raise RefusedError("malformed")

    def _room(self) -> bytes:
        if self._told[0] != self.standings:
            self._told = self.standings, room_json(self.intake, self.often, self.translate)
        return self._told[1]

    def reply(self, status: int, body: bytes = b"", kind: str = "text/plain") -> web.Response:
        """An answer with the headers of all of them."""
        return web.Response(
            status=status, body=body, content_type=kind, charset="utf-8", headers=HEADERS
        )

    def refused(self, reason: str) -> web.Response:
        """A refusal, counted."""
        self.refuse(reason)
        answer = self.reply(STATUS[reason], f'{{"refused": "{reason}"}}'.encode())
        if reason in ("large", "malformed"):
            answer.force_close()
        return answer

    def cut(self, device: Hashable = None) -> None:
        """End the oldest line that has not asked for this room yet, since there are too many: of
        all, or of one device, which may be a router that phones share with who is slow."""
        self.refuse("fast")
        line = next(line for line, (of, _) in self.strangers.items() if device in (None, of))
        self.strangers.pop(line)[1]()

    def refuse(self, reason: str) -> None:
        """Count a refusal, and tell."""
        self.intake.refuse(reason)
        self.changed()

    async def write(self) -> None:
        """Keep what comes, all that waits at once with one trip to the disk; never ends by
        itself."""
        loop = asyncio.get_running_loop()
        while True:
            batch = [await self.waiting.get()]
            while not self.waiting.empty():
                batch.append(self.waiting.get_nowait())
            judged = [(report, mark) for report, mark, _ in batch]
            try:
                await loop.run_in_executor(None, self.intake.keep, judged)
                error = None
            except OSError:
                error = RefusedError("disk")
            for *_, kept in batch:
                if not kept.done():
                    kept.set_exception(error) if error else kept.set_result(None)
            for _ in batch:
                self.waiting.task_done()
            self.changed()


def _same(guess: str, own: str) -> bool:
    """Whether they are alike, in a time that does not tell how far."""
    return secrets.compare_digest(guess.encode("utf-8", "surrogateescape"), own.encode())


async def _body(request: web.BaseRequest) -> bytes:
    """The body of a report, read no further than one can be long. Raises RefusedError."""
    if (request.content_length or 0) > LARGEST:
        raise RefusedError("large")
    read = bytearray()
    try:
        async with asyncio.timeout(BODY):
            async for chunk in request.content.iter_any():
                read += chunk
                if len(read) > LARGEST:
                    raise RefusedError("large")
    except (TimeoutError, web.RequestPayloadError):
        raise RefusedError("malformed") from None
    return bytes(read)
