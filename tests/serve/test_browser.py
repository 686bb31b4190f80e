"""The page of a room in a real browser of the size of a phone."""

import asyncio
import json
import math
from pathlib import Path

import pytest
from browser import CHROMIUM, Phone, browser
from visitors import post

from dpstudio.privacy.room import Question
from dpstudio.serve import Codes, Open, Room

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


HARD = (
    Question(
        "hard",
        "ما هو؟ Straßenverkehrszulassungsordnung" + "x" * 40,
        "choice",
        ("أحمر", "<b>bold</b>", "x" * 60, *"abcdefghi"),
        epsilons=(0.05, 1.0, 10.0),
    ),
)
BUTTONS = "[...document.querySelectorAll('button')]"


async def looked_at(phone: Phone) -> None:
    assert await phone.run(WIDE) <= 0
    assert await phone.run(CONTRAST) >= 4.5
    assert await phone.run(NAMELESS) == 0


async def by_hand(phone: Phone, room: Room) -> None:
    """The address in small letters, wrong codes, which are told right below the field before
    anything is asked, the code of a slip, and by keyboard the first question."""
    await phone.size(320, 640)
    await phone.go(room.address[:-1].lower())
    await phone.until("document.getElementById('code')")
    await looked_at(phone)
    below = "document.getElementById('code').nextElementSibling"
    assert "8 letters" in await phone.run(f"{below}.textContent")
    for wrong, said in (("2222", "8 letters"), ("22222222", "no such code")):
        await phone.run("document.getElementById('code').value = ''")
        await phone.run("document.getElementById('code').focus()")
        await phone.do("Input.insertText", text=wrong)
        await phone.key("Enter", 13)
        await phone.until(f"{below}.className === 'stop'")
        await phone.until(f"{below}.textContent.includes('{said}')")
        assert await phone.run("document.querySelectorAll('section').length") == 0
        # To be mended, not typed anew.
        assert await phone.run("document.getElementById('code').value") == wrong
    await looked_at(phone)
    assert not room.reports
    assert ["403" in said for said in phone.said] == [True]
    phone.said.clear()
    await phone.run("document.getElementById('code').value = ''")
    await phone.run("document.getElementById('code').focus()")
    await phone.do("Input.insertText", text=room.codes[0].lower())
    await phone.key("Enter", 13)
    await phone.until("document.querySelectorAll('section').length === 2")
    assert await phone.run("document.getElementById('sum').textContent") == ""
    await looked_at(phone)
    assert await phone.run("document.images.length") == 0
    assert "<img src=x" in await phone.run("document.querySelector('h2').textContent")
    await phone.run("document.querySelector('input[type=radio]').focus()")
    await phone.key(" ", 32)
    assert await phone.run("document.querySelector('input[type=radio]').checked")
    for _ in range(2):
        await phone.key("Tab", 9)
    assert "Throw" in await phone.run("document.activeElement.textContent")
    await phone.key("Enter", 13)
    await phone.until("document.body.innerText.includes('It has arrived')")
    # What is read next: the question that was answered, and what came of it.
    assert await phone.run("document.activeElement.tagName") == "H2"
    shown = json.loads(await phone.run("document.querySelector('pre').textContent"))
    (report,) = room.reports
    names = ("question", "mechanism", "epsilon", "value", "round")
    assert {name: shown[name] for name in names} == vars(report)
    assert shown.keys() == {*names, "pass"}
    assert "ε = 0.500" in await phone.run("document.getElementById('sum').textContent")
    await phone.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    await looked_at(phone)
    # The same code comes back: what was sent is remembered, and no second throw is offered.
    await phone.go(room.address_of(room.codes[0]))
    await phone.until("document.querySelectorAll('section').length === 2")
    assert await phone.run("document.querySelectorAll('section button').length") == 1
    assert not phone.said, phone.said


async def asleep(phone: Phone, room: Room) -> None:
    """What was asked anew while the phone slept is there as it wakes, and adds; what is being typed
    stays."""
    await phone.run("document.querySelector('input[type=number]').focus()")
    await phone.do("Input.insertText", text="12")
    await phone.do("Page.setWebLifecycleState", state="frozen")
    room.reopen("one")
    await phone.do("Page.setWebLifecycleState", state="active")
    await phone.until("document.querySelectorAll('#cards section button').length === 2", 2)
    assert "was opened" in await phone.run("document.getElementById('status').textContent")
    assert await phone.run("document.activeElement.value") == "12"
    await phone.run("document.querySelector('#cards input[type=radio]').click()")
    await phone.run("document.querySelector('#cards section button').click()")
    await phone.until("document.getElementById('sum').textContent.includes('ε = 1.000')")


async def unheard(phone: Phone, room: Room) -> None:
    """A report whose answer was lost is sent again, the very same; what is being read stays open,
    and nothing takes the focus."""
    await network(phone, offline=True)
    await phone.run("document.querySelector('input[type=number]').value = '7'")
    await phone.run(f"{BUTTONS}.find((b) => b.innerText.startsWith('Throw')).click()")
    await phone.until("document.body.innerText.includes('not known whether')")
    card = "document.querySelector('#cards section:last-child')"
    await phone.run(f"{card}.querySelector('details').open = true")
    sent = await phone.run(f"{card}.querySelector('pre').textContent")
    assert post(room, sent.encode()) == (200, "")
    await network(phone, offline=False)
    await phone.run(f"{card}.querySelector('summary').focus()")
    await phone.run(f"{card}.querySelector('button').click()")
    await phone.until("document.body.innerText.includes('The room has an answer of your code')")
    assert await phone.run(f"{card}.querySelector('details').open")
    assert await phone.run("document.activeElement.tagName") == "SUMMARY"
    assert [report.question for report in room.reports].count("two") == 1


async def once(phone: Phone, room: Room) -> None:
    """One code throws once a round, whatever was forgotten, from however many pages; what was late
    is sent again as it was thrown."""
    await phone.go(room.address_of(room.codes[1]))
    await phone.until("document.querySelectorAll('#cards section').length === 2")
    one, two = (f"document.querySelectorAll('#cards section')[{i}]" for i in (0, 1))
    # What was missed is said below its field.
    await phone.run(f"{one}.querySelector('button').click()")
    first = f"{one}.querySelector('fieldset').lastChild"
    assert "Choose an answer" in await phone.run(f"{first}.textContent")
    assert await phone.run(f"{one}.contains(document.activeElement)")
    await phone.run(f"{two}.querySelector('button').click()")
    help = f"{two}.querySelector('input').nextElementSibling"
    assert await phone.run(f"{help}.textContent") == "A whole number from −5 to 300"
    assert await phone.run(f"{help}.className") == "stop"
    await looked_at(phone)
    await phone.run(f"{one}.querySelector('input').click()")
    await phone.run(f"{one}.querySelector('button').click()")
    await phone.until(f"{one}.innerText.includes('It has arrived')")
    await phone.run(f"{BUTTONS}.find((b) => b.innerText.startsWith('Forget')).click()")
    await phone.until(f"{one}.innerText.includes('has answered this question')")
    assert await phone.run(f"{one}.querySelectorAll('button, input').length") == 0
    # The question is closed on the way, and opened again for the same round.
    room.close("two")
    await phone.run(f"{two}.querySelector('input').value = '9'")
    await phone.run(f"{two}.querySelector('button').click()")
    await phone.until("document.body.innerText.includes('the question is closed')")
    room.open("two")
    await phone.run("window.dispatchEvent(new Event('online'))")
    again = f"{BUTTONS}.find((b) => b.innerText.startsWith('Try to send'))"
    await phone.until(again)
    sent = await phone.run(f"{two}.querySelector('pre').textContent")
    await phone.run(f"{again}.click()")
    await phone.until(f"{two}.innerText.includes('It has arrived')")
    assert await phone.run(f"{two}.querySelector('pre').textContent") == sent
    # Another page of the phone threw the coins while this one showed the question.
    room.reopen("two")
    await phone.run("window.dispatchEvent(new Event('online'))")
    await phone.until(f"{two}.querySelector('input')")
    other = f"""(() => {{
      const at = Object.keys(localStorage).find((k) => k.includes("{room.codes[1]}"));
      const state = JSON.parse(localStorage[at]);
      state.sent["two\\n2"] = state.sent["two\\n1"];
      localStorage[at] = JSON.stringify(state);
    }})()"""
    await phone.run(other)
    await phone.run(f"{two}.querySelector('input').value = '9'")
    await phone.run(f"{two}.querySelector('button').click()")
    assert await phone.run(f"{two}.querySelector('pre').textContent") == sent


async def network(phone: Phone, offline: bool) -> None:
    await phone.do("Network.enable")
    await phone.do(
        "Network.emulateNetworkConditions",
        offline=offline,
        latency=0,
        downloadThroughput=-1,
        uploadThroughput=-1,
    )


async def in_the_dark(phone: Phone, folder: Path) -> None:
    """A larger phone at an open door: hard words, every ε; a room that comes back with another
    question, which the page shows without being loaded anew."""
    media = [{"name": "prefers-color-scheme", "value": "dark"}]
    await phone.do("Emulation.setEmulatedMedia", features=media)
    await phone.size(390, 844)
    with Room.start(HARD, folder, Open()) as room:
        room.open("hard")
        await phone.go(room.address)
        await phone.until("document.querySelectorAll('section').length === 1")
        assert "more than once" in await phone.run("document.body.innerText")
        await looked_at(phone)
        await phone.run("document.querySelector('section input').click()")
        await phone.run("document.querySelector('section button').click()")
        await phone.until("document.body.innerText.includes('It has arrived')")
        await looked_at(phone)
        room.close("hard")
    with Room.start((*HARD, ASKED[0]), folder, Open()) as room:
        room.open("one")
        await phone.run("window.dispatchEvent(new Event('online'))")
        await phone.until("document.querySelectorAll('#before section').length === 1", 2)
        assert await phone.run("document.querySelectorAll('#cards section').length") == 1
        await phone.run("document.querySelector('#cards input').click()")
        await phone.run("document.querySelector('#cards button').click()")
        await phone.until("document.querySelector('#cards').innerText.includes('It has arrived')")
        await phone.run(f"{BUTTONS}.find((b) => b.innerText.includes('another person')).click()")
        assert await phone.run("document.querySelectorAll('#cards input').length") == 5
        room.close("one")
        await phone.run("window.dispatchEvent(new Event('online'))")
        await phone.until("document.getElementById('status').textContent.includes('was closed')", 2)
        assert len(room.reports) == 2
    assert await phone.run("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"


async def missing(phone: Phone, room: Room) -> None:
    """No JavaScript, and no secret numbers: each is a sentence."""
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
def test_the_page_on_two_phones(tmp_path: Path) -> None:
    """In one browser, for it takes long to start."""

    async def visit(room: Room) -> None:
        async with browser() as phone:
            await by_hand(phone, room)
            await asleep(phone, room)
            await unheard(phone, room)
            await once(phone, room)
            await in_the_dark(phone, tmp_path / "open")
            await missing(phone, room)

    with Room.start(ASKED, tmp_path, Codes(3)) as room:
        for asked in ASKED:
            room.open(asked.key)
        asyncio.run(visit(room))
        assert room.counts.refused == {"used": 1, "code": 1, "late": 1}
