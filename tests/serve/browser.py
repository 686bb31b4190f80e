"""A headless Chromium, driven over its own protocol by aiohttp's websocket; loopback only."""

import asyncio
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
FLAGS = (
    *["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"],
    *["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    *["--disable-dev-shm-usage", "--remote-debugging-port=0", "--no-proxy-server"],
    # Whatever the browser itself would ask for, no name but loopback is found.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


class Phone:
    """One page of the browser, of the size of a phone."""

    def __init__(self, line: aiohttp.ClientWebSocketResponse, session: str):
        self._line, self._session, self._number = line, session, 0
        self.said: list[str] = []  # what the page complains of: policy, errors

    async def do(self, method: str, **params: Any) -> dict[str, Any]:
        """A command of the protocol and its answer."""
        self._number += 1
        sent = {"id": self._number, "method": method, "params": params}
        await self._line.send_json(sent | {"sessionId": self._session})
        while True:
            heard = await asyncio.wait_for(self._line.receive_json(), 20)
            if heard.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.said.append(json.dumps(heard["params"]))
            if heard.get("id") == self._number and heard.get("sessionId") == self._session:
                if "error" in heard:
                    raise RuntimeError(f"{method}: {heard['error']}")
                return dict(heard["result"])

    async def size(self, width: int, height: int) -> None:
        """Show pages as a phone of that many CSS pixels does."""
        await self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2,
            mobile=True,
        )

    async def run(self, code: str) -> Any:
        """The value of JavaScript in the page."""
        found = await self.do(
            "Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"]))
        return found["result"].get("value")

    async def until(self, code: str, seconds: float = 15) -> None:
        """Wait until that JavaScript is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(RuntimeError):
                if await self.run(f"!!({code})"):
                    return
            await asyncio.sleep(0.05)
        raise TimeoutError(f"{code}\n{await self.run('document.body.innerText')}\n{self.said}")

    async def go(self, address: str) -> None:
        """Open a page anew, whichever was open before."""
        assert address.split("/")[2].startswith("127.") or address == "about:blank"
        await self.do("Page.navigate", url="about:blank")
        await self.do("Page.navigate", url=address)

    async def key(self, name: str, code: int) -> None:
        """Press a key."""
        text = {"text": "\r"} if name == "Enter" else {"text": " "} if name == " " else {}
        for kind in ("keyDown", "keyUp"):
            await self.do(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                windowsVirtualKeyCode=code,
                **(text if kind == "keyDown" else {}),
            )

    async def shot(self, path: Path) -> None:
        """The whole page as a picture."""
        made = await self.do("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(made["data"]))


@asynccontextmanager
async def browser(*more: str) -> AsyncIterator[Phone]:
    """A phone in a browser of its own, which is ended and leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="dpstudio-browser-", ignore_cleanup_errors=True) as at:
        command = [CHROMIUM, *FLAGS, *more, f"--user-data-dir={at}", "about:blank"]
        run = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            port, path = await _line_of(Path(at) / "DevToolsActivePort")
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(f"ws://127.0.0.1:{port}{path}", max_msg_size=0) as line,
            ):
                yield await _first(line)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGTERM)
            try:
                run.wait(10)
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()


async def _line_of(file: Path) -> tuple[str, str]:
    for _ in range(600):
        with suppress(OSError, ValueError):
            port, path = file.read_text().split("\n")[:2]
            return port, path
        await asyncio.sleep(0.05)
    raise TimeoutError("the browser has not started")


async def _first(line: aiohttp.ClientWebSocketResponse) -> Phone:
    await line.send_json(
        {"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}}
    )
    target = (await _answer(line, 1))["targetId"]
    attach = {"targetId": target, "flatten": True}
    await line.send_json({"id": 2, "method": "Target.attachToTarget", "params": attach})
    phone = Phone(line, (await _answer(line, 2))["sessionId"])
    for domain in ("Page", "Runtime", "Log"):
        await phone.do(f"{domain}.enable")
    return phone


async def _answer(line: aiohttp.ClientWebSocketResponse, number: int) -> dict[str, Any]:
    while True:
        heard = await asyncio.wait_for(line.receive_json(), 20)
        if heard.get("id") == number:
            return dict(heard["result"])
