"""The page of a room in a real browser of the size of a small phone."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path

import pytest
from browser import CHROMIUM, Phone, browser

from dpstudio.privacy.room import Question
from dpstudio.serve import Codes, Room

LN3 = math.log(3)
ASKED = (
    Question("one", "<img src=x onerror=alert(1)> & a word" + "x" * 60, epsilons=(0.5, LN3, 4.0)),
    Question("two", "How many?", "number", low=-5, high=300, epsilons=(1.0,)),
)
# WCAG: how much lighter the one is than the other, of every piece of text that is seen.
CONTRAST = """(() => {
  const lum = (c) => { const v = c.match(/[\\d.]+/g).slice(0, 3).map((x) => { x /= 255;
    return x <= 0.03928 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4); });
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const ground = (e) => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c; } return "rgb(255,255,255)"; };
  return Math.min(...[...document.querySelectorAll("main *")].filter((e) => e.innerText && e.offsetHeight)
    .map((e) => { const a = lum(getComputedStyle(e).color), b = lum(ground(e));
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); }));
})()"""
# Fields without a name, targets of fewer than 44 pixels, and what is wider than the phone.
NAMELESS = """[...document.querySelectorAll("input")].filter((e) => !e.labels.length).length +
  [...document.querySelectorAll("button, .option")].filter((e) => e.offsetHeight < 44).length"""
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def looked_at(phone: Phone) -> None:
    assert await phone.run(WIDE) <= 0
    assert await phone.run(CONTRAST) >= 4.5
    assert await phone.run(NAMELESS) == 0


async def visit(room: Room) -> None:
    async with browser() as phone:
        await phone.size(320, 640)
        # By hand and by keyboard: the address in small letters, the code of a slip, then the first
        # question.
        await phone.go(room.address[:-1].lower())
        await phone.until("document.getElementById('code')")
        await looked_at(phone)
        await phone.run("document.getElementById('code').focus()")
        await phone.do("Input.insertText", text=room.codes[0].lower())
        await phone.key("Enter", 13)
        await phone.until("document.querySelectorAll('section').length === 2")
        await looked_at(phone)
        assert await phone.run("document.images.length") == 0
        assert "<img src=x" in await phone.run("document.querySelector('h2').textContent")
        await phone.run("document.querySelector('input[type=radio]').focus()")
        await phone.key(" ", 32)
        assert await phone.run("document.querySelector('input[type=radio]').checked")
        await phone.run("document.querySelector('section button').click()")
        await phone.until("document.body.innerText.includes('It has arrived')")
        shown = json.loads(await phone.run("document.querySelector('pre').textContent"))
        (report,) = room.reports
        names = ("question", "mechanism", "epsilon", "value", "round")
        assert {name: shown[name] for name in names} == vars(report)
        assert shown.keys() == {*names, "pass"}
        assert "ε = 0.500" in await phone.run("document.getElementById('sum').textContent")
        await phone.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        await looked_at(phone)
        assert not phone.said, phone.said
        # The same code comes back: what was sent is remembered, and no second throw is offered.
        await phone.go(room.address_of(room.codes[0]))
        await phone.until("document.querySelectorAll('section').length === 2")
        assert await phone.run("document.querySelectorAll('section button').length") == 1
        # Asked anew, it adds.
        room.reopen("one")
        await phone.until("document.querySelectorAll('#cards section button').length === 2")
        await phone.run("document.querySelector('#cards input[type=radio]').click()")
        await phone.run("document.querySelector('#cards section button').click()")
        await phone.until("document.getElementById('sum').textContent.includes('ε = 1.000')")
        # No JavaScript, and no secret numbers: each is a sentence.
        await phone.do("Emulation.setScriptExecutionDisabled", value=True)
        await phone.go(room.address)
        for _ in range(100):
            page = json.dumps(await phone.do("DOM.getDocument", depth=-1))
            if "This page needs JavaScript" in page:
                break
            await asyncio.sleep(0.05)
        assert "This page needs JavaScript" in page
        await phone.do("Emulation.setScriptExecutionDisabled", value=False)
        script = "delete window.crypto; Object.defineProperty(window, 'crypto', {value: undefined})"
        await phone.do("Page.addScriptToEvaluateOnNewDocument", source=script)
        await phone.go(room.address)
        await phone.until("document.body.innerText.includes('crypto.getRandomValues is missing')")
        await looked_at(phone)


@pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium here to open the page with")
def test_the_page_on_a_small_phone(tmp_path: Path) -> None:
    with Room.start(ASKED, tmp_path, Codes(3)) as room:
        for asked in ASKED:
            room.open(asked.key)
        asyncio.run(visit(room))
        assert not room.counts.refused
