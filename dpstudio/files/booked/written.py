"""A release and its certificate, written to a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from dpstudio.files.booked.certificate import Stated, certificate, certificate_text
from dpstudio.files.booked.certificate_page import ATTACHED, certificate_html, certificate_sheets
from dpstudio.files.booked.releasing import Released
from dpstudio.files.booked.tables import write_tables
from dpstudio.files.booked.verify import signed_page
from dpstudio.files.language import for_programs, spoken, tr
from dpstudio.files.ledgers.book import Book
from dpstudio.files.session import SessionError, make_folder, write_file, write_text
from dpstudio.files.write.export import refuse_exact
from dpstudio.values.messages import N_, say


class Pictures(Protocol):
    """What writes pages of paper as a PDF."""

    def pdf(
        self, svg: Any, path: Path, metadata: Mapping[str, str], attached: Mapping[str, bytes], /
    ) -> None:
        """One SVG text a page."""


@contextmanager
def kept_ready(folder: Path | None) -> Iterator[None]:
    """As `made_ready`; whatever refuses the release takes the folders along that were made for it,
    so that one is left where something was published, and else never."""
    if folder is None:
        yield
        return
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        made_ready(folder)
        yield
    except BaseException:
        for each in missing:
            with suppress(OSError):  # what is not empty stays
                each.rmdir()
        raise


def made_ready(folder: Path) -> None:
    """Make the folder of a release, before anything is paid. Raises SessionError, also where exact
    answers would stay beside it, or another certificate would be written over."""
    make_folder(folder)
    refuse_exact(folder)
    if any((folder / f"certificate.{kind}").exists() for kind in ("json", "html", "pdf")):
        text = N_("{path} holds a certificate, which is not written over: choose another folder.")
        raise SessionError(say(text, path=folder))


def write_release(
    made: Released,
    book: Book,
    folder: Path,
    *,
    said: Stated | None = None,
    base: Fraction | None = None,
    pictures: Pictures | None = None,
) -> list[Path]:
    """Its tables, how they were made, and the certificate of all of them; the paths. Raises
    SessionError and LedgerError."""
    made_ready(folder)
    paths = write_tables(made, folder, base, for_programs())
    certified = partial(certificate, book, made, said, base)
    return paths + write_certificate(certified, book, folder, pictures)


def write_certificate(
    certified: Callable[..., dict[str, Any]],
    book: Book,
    folder: Path,
    pictures: Pictures | None = None,
) -> list[Path]:
    """A certificate as JSON, in English, and in the language in force as HTML and with `pictures`
    as PDF, each signed; the paths. Raises SessionError and LedgerError."""
    made_ready(folder)
    held, told = certified(), certified(translate=tr)
    text = certificate_text(held)
    page = certificate_html(told, text, spoken().replace("_", "-"), tr)
    paths = [folder / f"certificate.{kind}" for kind in ("json", "html")]
    write_text(paths[0], text)
    write_file(paths[1], signed_page(page.encode(), ".html", held, book))
    if pictures is not None:
        paths.append(folder / "certificate.pdf")
        sheets = list(certificate_sheets(told, tr))
        pictures.pdf(sheets, paths[-1], {"Title": tr(N_("Certificate"))}, {ATTACHED: text.encode()})
        write_file(paths[-1], signed_page(paths[-1].read_bytes(), ".pdf", held, book))
    return paths
