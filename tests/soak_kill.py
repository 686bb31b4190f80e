"""Kills the program with -9 at random moments of editing, saving and closing in a real window, and
looks what the next start makes of it: `python tests/soak.py --only kill [--times 50] [--seed 1]`.

The next start must offer work at most one second old, every file must be readable, and no draft may
be left. What is edited is the seed of the lab, which counts the edits.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

SESSION, LATE_S = "mine.dpstudio", 1.0


# The program that is killed


def say(*words: object) -> None:
    """One line to who kills, at once."""
    os.write(1, (" ".join(map(str, words)) + f" {time.time()}\n").encode())


def _shown() -> list[str]:
    """What the windows say, and what they work at."""
    from dpstudio.gui.shell.frame.window import Window

    told = []
    for window in QApplication.topLevelWidgets():
        if isinstance(window, Window) and window.studio is not None:
            channels = window.studio.jobs._channels.items()
            told += [window.message.text.text(), window.question.text.text()]
            told += [name for name, channel in channels if channel.busy]
    return told


def wait(app: Any, true: Callable[[], object], limit: float = 180.0) -> None:
    end = time.time() + limit
    while not true():
        app.processEvents()
        time.sleep(0.002)
        if time.time() > end:
            say("stuck", true.__code__.co_firstlineno, *_shown())
            os._exit(3)


def press(studio: Any, text: str) -> None:
    next(b for b in studio.window.question.buttons if b.isVisible() and b.text() == text).click()


def take_up(app: Any, studio: Any) -> bool:
    """Take up what is offered; whether anything was."""
    question = studio.window.question
    wait(app, lambda: studio.unsaved._looked and not studio.jobs.busy("drafts"))
    app.processEvents()
    if question.isHidden() or "left and not saved" not in question.text.text():
        return False
    press(studio, "Take it up")
    wait(app, lambda: not studio.jobs.busy("table", "lab"))
    return True


def over(studio: Any) -> bool:
    """Whether it is asked if a file is to be written over."""
    return any(b.isVisible() and b.text() == "Overwrite" for b in studio.window.question.buttons)


def child(folder: Path, seed: int) -> None:
    """Start, take up, then edit, save and close at random until killed."""
    from dpstudio.gui.shell.app import make_app, make_window

    rng, path = random.Random(seed), folder / SESSION
    app = make_app()
    window = make_window(str(path) if path.exists() else None)
    window.show()
    say("start")
    wait(app, lambda: window.studio is not None and window.studio.findings is not None)
    studio: Any = window.studio
    taken = take_up(app, studio)
    lab = studio.store.lab
    count = lab.seed if path.exists() or taken else 0
    say("have", count, int(taken))
    first = count

    def saved(moment: Any) -> None:
        say("saved", first if moment[0] is None else moment[1].lab.seed)

    studio.sessions.saved.connect(saved)
    if seed < 0:  # the last start saves, and ends as a person ends it
        studio.sessions.write(path, sure=True)
        window.close()
        wait(app, lambda: not window.isVisible())
        say("closed", count)
        os._exit(0)
    while True:
        turn = rng.random()
        if over(studio):
            press(studio, "Overwrite")
        elif turn < 0.93:
            count += 1
            studio.store.set("seed", count)
            say("edit", count)
        elif turn < 0.98:
            say("saving", count)
            studio.sessions.write(path)
        else:
            window.close()
            wait(app, lambda: not studio.sessions.busy)  # it waits for what is being saved
            if window.isVisible() and not over(studio):
                end = rng.choice(("Save", "Discard", "Cancel"))
                if end == "Save" and studio.opener.session_path is None:
                    end = "Cancel"  # a dialog would ask where to
                say(end.lower(), count)
                press(studio, end)
            wait(app, lambda: not studio.sessions.busy)
            if not window.isVisible():
                say("closed", count)
                os._exit(0)
        until = time.time() + rng.choice((0.0, 0.01, 0.05, 0.3))
        app.processEvents()
        while time.time() < until:
            app.processEvents()
            time.sleep(0.002)


# Who kills


class Kills:
    """What must have survived so far: a count from `least` to `most`, or anything where a person
    had begun to throw it away."""

    def __init__(self, folder: Path, seed: int):
        self.folder, self.rng = folder, random.Random(seed)
        self.least = self.most = 0
        self.thrown = False
        self.faults: list[str] = []
        self.seen: Counter[str] = Counter()
        self.ages: list[float] = []
        self.last: list[tuple[int, float]] = []
        self.killed = 0.0
        self.story: list[str] = []

    def once(self, number: int, kill: bool = True) -> None:
        """One start, killed at a random moment, or ended once it has taken up what was left."""
        run = subprocess.Popen(
            [
                sys.executable,
                __file__,
                str(self.folder),
                str(self.rng.randrange(2**31) if kill else -1),
            ],
            stdout=subprocess.PIPE,
        )
        assert run.stdout is not None
        early, lines = kill and self.rng.random() < 0.15, list[list[str]]()
        if early:
            time.sleep(self.rng.uniform(0.0, 4.0))
        else:
            for raw in run.stdout:
                lines.append(raw.decode().split())
                if lines[-1][0] in ("have", "stuck"):
                    break
            time.sleep(self.rng.uniform(0.0, 5.0) if kill else 5.0)
        alive, now = run.poll() is None, time.time()
        run.send_signal(signal.SIGKILL)
        lines += [raw.decode().split() for raw in run.stdout]
        run.wait()
        self.judge(number, [line for line in lines if line], now, alive)

    def judge(self, number: int, lines: list[list[str]], now: float, alive: bool) -> None:
        story = [f"{now - float(line[-1]):.2f} {' '.join(line[:-1])}" for line in lines[-12:]]
        edits = [(int(line[1]), float(line[2])) for line in lines if line[0] == "edit"]
        for line in lines:
            self.seen[line[0]] += 1
            if line[0] == "stuck":
                self.faults.append(f"run {number}: waited in vain at line {' '.join(line[1:-1])}")
            if line[0] == "have":
                self.took_up(number, int(line[1]), line[2] == "1")
                self.least = self.most = int(line[1])
                self.thrown = False
            if line[0] in ("saved", "save") and (line[0] == "saved" or lines[-1][0] == "closed"):
                self.least = self.most = max(self.most, int(line[1]))
            self.thrown = self.thrown or line[0] == "discard"
        self.least = max([self.least, *(n for n, at in edits if at <= now - LATE_S)])
        self.most = max([self.most, *(n for n, _ in edits)])
        self.story = story
        if edits:
            self.last, self.killed = edits, now
        if not alive and (not lines or lines[-1][0] != "closed"):
            self.faults.append(f"run {number}: the program ended by itself after {lines[-1:]}")
        if lines and lines[-1][0] == "closed" and list((self.folder / "drafts").glob("*.dpstudio")):
            self.faults.append(f"run {number}: a draft is left after closing")

    def took_up(self, number: int, count: int, taken: bool) -> None:
        """What the next start had."""
        self.seen["offered"] += taken
        if not self.thrown and not self.least <= count <= self.most:
            self.faults.append(
                f"run {number}: {count} came back, at least {self.least} was due of {self.most}; "
                f"before: {', '.join(self.story)}"
            )
        lost = [at for n, at in self.last if n > count]
        if lost and not self.thrown:
            self.ages.append(self.killed - min(lost))
        self.last = []

    def readable(self, number: int) -> None:
        """Every file as it is right after the kill."""
        from dpstudio.files.session import SessionError, read_session

        for path in (self.folder / SESSION, *(self.folder / "drafts").glob("*.dpstudio")):
            try:
                if path.exists():
                    read_session(path)
            except SessionError as error:
                self.faults.append(f"run {number}: {error}")


def run_kills(times: int, seed: int) -> int:
    """Kill so often, then start once more; the number of faults, which are printed."""
    with tempfile.TemporaryDirectory(prefix="dpstudio-kill-") as name:
        folder = Path(name)
        os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
        os.environ["DPSTUDIO_SETTINGS"] = str(folder / "settings.ini")
        os.environ["DPSTUDIO_DRAFTS"] = str(folder / "drafts")
        if not os.environ.get("DISPLAY"):
            os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        kills = Kills(folder, seed)
        for number in range(times):
            kills.once(number)
            kills.readable(number)
        kills.once(times, kill=False)
        kills.once(times + 1, kill=False)
        left = [p.name for p in folder.glob(".dpstudio-*")]
        left += [p.name for p in (folder / "drafts").glob(".dpstudio-*")]
        left += [p.name for p in (folder / "drafts").glob("*.dpstudio")]
        if left:
            kills.faults.append(f"left behind: {left}")
        age = max(kills.ages, default=0.0)
        print(f"{times} kills: {dict(kills.seen)}; the oldest work that was lost: {age:.2f} s")
        print("\nFAULTS:\n- " + "\n- ".join(kills.faults) if kills.faults else "no faults")
        return len(kills.faults)


if __name__ == "__main__":
    child(Path(sys.argv[1]), int(sys.argv[2]))
