"""The manual that ships with the program: Markdown files below assets/help, found by name."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dpstudio.files.assets import asset
from dpstudio.files.language import spoken
from dpstudio.values.messages import N_, SentenceError, listed, say

INDEX = "README"
_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"(#{1,6}) +(.*?)[ #]*$")
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|[*`]")


class NoPageError(SentenceError):
    """There is no page of that name, or more than one; the text says which there are."""


@dataclass(frozen=True)
class ManualPage:
    """A page by its path below the manual without what its kind adds, such as "use/explore", with
    its title and the headings below that, as they are read."""

    key: str
    title: str
    headings: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Where its text is."""
        return asset("help", f"{self.key}.md")

    @property
    def text(self) -> str:
        """It, as Markdown."""
        return self.path.read_text(encoding="utf-8")

    @property
    def said(self) -> str:
        """It in the language in force; in English where nobody has written it in that."""
        path = asset("translations", spoken(), "help", f"{self.key}.md")
        return path.read_text(encoding="utf-8") if path.is_file() else self.text

    @property
    def headed(self) -> tuple[str, ...]:
        """Its title and headings in that language, as many as it has and in their order."""
        found = tuple(headings(self.said))
        return found if len(found) == 1 + len(self.headings) else (self.title, *self.headings)


@lru_cache(maxsize=1)
def manual_pages() -> tuple[ManualPage, ...]:
    """Every page by folder and name, the index first. Read once: nobody writes them meanwhile."""
    root = asset("help")
    keys = [path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.md")]
    ordered = sorted(keys, key=lambda key: (key.count("/") > 0, key.rpartition("/")[0], key))
    return tuple(_read(root / f"{key}.md", key) for key in ordered)


def _read(path: Path, key: str) -> ManualPage:
    title, *below = headings(path.read_text(encoding="utf-8")) or [key]
    return ManualPage(key, title, tuple(below))


def headings(text: str) -> list[str]:
    """The headings of a Markdown text in order, without their marks."""
    found, fenced = list[str](), False
    for line in text.splitlines():
        fenced ^= bool(_FENCE.match(line))
        heading = None if fenced else _HEADING.match(line)
        if heading is not None:
            found.append(_MARKUP.sub(r"\1", heading[2]))
    return found


def anchor(heading: str) -> str:
    """By which a link names a heading of a page, as GitHub has it: "What leaves" as what-leaves."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_at(path: str) -> ManualPage | None:
    """The page that is that file."""
    return next((page for page in manual_pages() if str(page.path) == path), None)


def manual_page(name: str) -> ManualPage:
    """The page of that key, or the one whose key ends with it: "explore" for "use/explore". Of
    several the one nearest to the index. Raises NoPageError."""
    wanted = name.strip().removesuffix(".md").strip("/")
    fits = [p for p in manual_pages() if p.key == wanted or p.key.endswith(f"/{wanted}")]
    nearest = min((page.key.count("/") for page in fits), default=0)
    fits = [page for page in fits if page.key.count("/") == nearest]
    if len(fits) == 1:
        return fits[0]
    if fits:
        known = listed(page.key for page in fits)
        raise NoPageError(say("“{name}” may be one of {known}: say which.", name=name, known=known))
    text = N_("The manual has no page “{name}”; “dpstudio help” lists those it has.")
    raise NoPageError(say(text, name=name))


_TOLD = re.compile(r"- \*\*(.+?)\*\*[:：]? *([^\n]*)")


def charts_told(key: str) -> dict[str, str]:
    """The charts that a page of a lab lists under “What you see”, each with its line."""
    page = next((page for page in manual_pages() if page.key == key), None)
    if page is None:
        return {}
    seen = dict(zip(page.headings, page.headed[1:], strict=True)).get("What you see", "")
    return dict(_TOLD.findall(page.said.partition(f"## {seen}\n")[2].partition("\n## ")[0]))
