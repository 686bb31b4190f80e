"""Visitors of a room over loopback: what they send, from which of 127.0.0.0/8, and what comes
back. No other address is ever asked."""

import asyncio
import json
import secrets
import socket
from collections.abc import Iterable, Mapping
from typing import Any

from dpstudio.privacy.room import Question, law, randomise
from dpstudio.serve import Room


def body(
    asked: Question,
    epsilon: float,
    answer: int,
    pass_: str,
    round_: int = 1,
    change: Mapping[str, Any] | None = None,
) -> bytes:
    """What a phone sends of an answer, drawn by Python's copy of its coins."""
    sent = {
        "question": asked.key,
        "round": round_,
        "mechanism": law(asked, epsilon).mechanism,
        "epsilon": epsilon,
        "value": randomise(asked, epsilon, answer, secrets.randbelow),
        "pass": pass_,
    }
    return json.dumps(sent | dict(change or {})).encode()


def post(room: Room, content: bytes, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Send a report by hand; its status and reason."""
    path = "/" + room.address.split("/", 3)[3] + "report"
    status, _, answer = raw(room, "POST", path, headers, content)
    return status, json.loads(answer or b"{}").get("refused", "")


def get(room: Room, name: str = "") -> tuple[int, dict[str, str], bytes]:
    """One of the room's pages."""
    return raw(room, "GET", "/" + room.address.split("/", 3)[3] + name)


def raw(
    room: Room,
    method: str,
    path: str,
    headers: dict[str, str] | None = None,
    content: bytes | None = None,
) -> tuple[int, dict[str, str], bytes]:
    """Any request, its path as it stands; status 0 where the connection was cut."""
    at = room.address.split("/")[2]
    lines = {"Host": at, "Connection": "close", "Content-Type": "application/json"}
    if content is not None:
        lines["Content-Length"] = str(len(content))
    lines |= headers or {}
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items())
    return exchange(room, head.encode() + b"\r\n" + (content or b""))


def exchange(room: Room, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Bytes to the room, and the one answer to them."""
    host, port = room.address.split("/")[2].rsplit(":", 1)
    assert host.startswith("127.")
    received = b""
    try:
        with socket.create_connection((host, int(port)), timeout=10) as line:
            line.sendall(sent)
            while more := line.recv(65536):
                received += more
    except ConnectionError:
        pass
    head, _, rest = received.partition(b"\r\n\r\n")
    if not head:
        return 0, {}, b""
    first, *fields = head.decode().split("\r\n")
    return int(first.split()[1]), dict(f.split(": ", 1) for f in fields), rest


async def crowd(room: Room, sent: Iterable[bytes], first: int = 0) -> list[int]:
    """All of them at once, each visitor from an address of its own (from the `first` on) that looks at the page first;
    the statuses."""
    import aiohttp

    async def visit(place: int, content: bytes) -> int:
        mine = aiohttp.TCPConnector(local_addr=(f"127.0.{1 + place // 250}.{1 + place % 250}", 0))
        async with aiohttp.ClientSession(connector=mine) as phone:
            async with phone.get(room.address + "room") as page:
                await page.read()
            headers = {"Content-Type": "application/json"}
            async with phone.post(room.address + "report", data=content, headers=headers) as answer:
                return answer.status

    visits = [visit(place, content) for place, content in enumerate(sent, first)]
    return list(await asyncio.gather(*visits))
