"""A room as it would be: 200 phones that answer within ten seconds, room after room, and the page
in a real browser at two sizes: `python tests/soak.py --only room [--times 20] [--seed 1]`. Loopback
only. The pictures are left in a folder that is printed, to be looked at."""

import asyncio
import json
import math
import random
import sys
import tempfile
from pathlib import Path

from dpstudio.privacy.room import Question, combined
from dpstudio.serve import Codes, Open, Room

sys.path.insert(0, str(Path(__file__).parent / "serve"))

PEOPLE, SECONDS = 200, 10.0
EPSILONS = (0.5, math.log(3), 4.0)
COINS = Question("cheated", "Have you ever cheated in an exam?", epsilons=EPSILONS)
COLOUR = Question(
    "rule",
    "Which rule of this house would you drop first, if you could drop one?",
    "choice",
    ("Be quiet after ten", "No guests overnight", "Shoes off at the door", "None of them"),
    epsilons=EPSILONS,
)
BITS = Question(
    "seen", "Where do you work best?", "choice", ("home", "library", "train"), unary=True
)
HOURS = Question("hours", "How many hours did you sleep?", "number", low=0, high=14)
SIZES = ((320, 640), (390, 844))


async def answered(room: Room, sent: list[bytes]) -> list[int]:
    """Statuses of phones that come at random within the ten seconds."""
    from visitors import crowd

    async def late(content: bytes, place: int) -> int:
        await asyncio.sleep(random.uniform(0, SECONDS))
        return (await crowd(room, [content], place))[0]

    return list(await asyncio.gather(*(late(one, place) for place, one in enumerate(sent))))


def rooms(times: int, seed: int) -> list[str]:
    """Faults of so many rooms: reports lost or refused, and intervals that hold the truth too
    rarely."""
    from visitors import body

    rng, faults, held = random.Random(seed), list[str](), 0
    for number in range(times):
        with tempfile.TemporaryDirectory(prefix="dpstudio-room-") as folder:
            truth = rng.random()
            people = [(rng.choice(EPSILONS), int(rng.random() < truth)) for _ in range(PEOPLE)]
            with Room.start([COINS], Path(folder), Codes(PEOPLE)) as room:
                room.open("cheated")
                codes = list(room.codes)
                sent = [body(COINS, e, a, codes[i]) for i, (e, a) in enumerate(people)]
                statuses = asyncio.run(answered(room, sent))
                found = combined(COINS, room.reports)
            if statuses != [200] * PEOPLE or found is None or found.n != PEOPLE:
                faults.append(f"room {number}: {sorted(set(statuses))}")
                continue
            low, high = found.interval(1)
            held += low <= sum(a for _, a in people) / PEOPLE <= high
    least = times * 0.95 - 4 * math.sqrt(times * 0.95 * 0.05)
    print(f"{held} of {times} intervals hold the room's share (95 %; at least {least:.1f})")
    if held < least:
        faults.append(f"only {held} of {times} intervals hold the room's share")
    return faults


async def pictures(folder: Path) -> list[str]:
    """What is too wide or complained of, in pictures of the page in each of its states."""
    from browser import browser

    faults = []
    asked = (COINS, COLOUR, BITS, HOURS)
    async with browser() as phone:
        for width, height in SIZES:
            await phone.size(width, height)

            async def shot(name: str, at: str = f"{width}x{height}") -> None:
                await phone.shot(folder / f"{name}-{at}.png")
                wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                if await phone.run(wide) > 0:
                    faults.append(f"{name} is wider than {at}")

            for door in (Codes(4), Open()):
                often = isinstance(door, Open)
                with (
                    tempfile.TemporaryDirectory(prefix="dpstudio-room-") as kept,
                    Room.start(asked, Path(kept), door) as room,
                ):
                    await phone.go(room.address)
                    if not often:
                        await phone.until("document.getElementById('code')")
                        await shot("code")
                        await phone.go(room.address_of(room.codes[0]))
                    await phone.until("document.getElementById('wait')")
                    await shot("waiting-open" if often else "waiting")
                    for question in asked:
                        room.open(question.key)
                    await phone.until("document.querySelectorAll('section').length === 4")
                    await shot("asked-open" if often else "asked")
                    await phone.run(
                        "document.querySelectorAll('fieldset:first-of-type').forEach((f) => {"
                        "const i = f.querySelector('input'); i.click();"
                        "if (i.type === 'number') { i.value = '7'; } });"
                        "document.querySelectorAll('section button').forEach((b) => b.click())"
                    )
                    await phone.until("document.body.innerText.split('arrived').length > 5")
                    await phone.run(
                        "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
                    )
                    await shot("sent-open" if often else "sent")
                    for question in asked:
                        room.close(question.key)
                    await phone.until("document.getElementById('wait').style.display === ''")
                    await shot("closed-open" if often else "closed")
                    if room.counts.refused:
                        faults.append(f"refused: {json.dumps(dict(room.counts.refused))}")
                await phone.until("document.body.innerText.includes('cannot be reached')")
                await shot("gone")
        # A connection that is refused is told by the browser too, and is meant here.
        faults += [one for one in phone.said if "ERR_CONNECTION" not in one]
    return faults


async def safely(folder: Path) -> list[str]:
    """The page over HTTPS, in a browser that was told to trust the room: it does not say that it
    came without encryption, and a report arrives."""
    from browser import browser

    async with browser("--ignore-certificate-errors") as phone:
        with (
            tempfile.TemporaryDirectory(prefix="dpstudio-room-") as kept,
            Room.start([COINS], Path(kept), Open(), tls=True) as room,
        ):
            room.open("cheated")
            await phone.size(*SIZES[0])
            await phone.go(room.address)
            await phone.until("document.querySelector('section button')")
            warned = await phone.run("document.querySelectorAll('.warn').length")
            await phone.shot(folder / "https.png")
            await phone.run("document.querySelector('input[type=radio]').click()")
            await phone.run("document.querySelector('section button').click()")
            await phone.until("document.body.innerText.includes('It has arrived')")
            arrived = len(room.reports)
    return (
        [f"over HTTPS: {arrived} reports, {warned} warnings"] if (arrived, warned) != (1, 0) else []
    )


def run_room(times: int, seed: int) -> int:
    """The number of faults, which are printed."""
    from browser import CHROMIUM

    faults = rooms(times, seed)
    if CHROMIUM:
        folder = Path(tempfile.mkdtemp(prefix="dpstudio-phones-"))
        faults += asyncio.run(pictures(folder)) + asyncio.run(safely(folder))
        print(f"look at the pictures in {folder}")
    else:
        print("there is no Chromium here: no pictures were made")
    print("\nFAULTS:\n- " + "\n- ".join(faults) if faults else "no faults")
    return len(faults)
