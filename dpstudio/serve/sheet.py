"""What leads phones to a room: the code on the screen, and a sheet of slips to cut, one a seat."""

import html
import io
from collections.abc import Iterable

from dpstudio.values.messages import N_, Translate, render, unchanged

_HEAD = N_("Slips for the seats")
_SAID = N_(
    "Noise is made on your phone before anything is sent. Each slip answers each question once. "
    "Draw one; nobody keeps a list of who drew which."
)
_CODE, _AT = N_("Code"), N_("Address")
_STYLE = """
@page { size: A4; margin: 10mm }
body { font: 10pt sans-serif; color: #000; background: #fff; margin: 0 }
ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap }
li { width: 33.33%; box-sizing: border-box; padding: 3mm; border: 1px dashed #666;
  text-align: center; break-inside: avoid }
svg { width: 34mm; height: 34mm }
b { font: bold 13pt monospace; letter-spacing: .1em }
small { display: block; overflow-wrap: anywhere }
"""


def qr_svg(text: str, border: int = 4) -> str:
    """The text as a QR code: an SVG of one path, dark on white, with the quiet margin that readers
    want."""
    import segno

    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out,
        kind="svg",
        border=border,
        light="#ffffff",
        dark="#000000",
        xmldecl=False,
        omitsize=True,
    )
    return out.getvalue().decode()


def sheet_html(
    address: str, codes: Iterable[str], translate: Translate = unchanged, language: str = "en"
) -> str:
    """A page to print, A4, three slips in a row, without any script or outside resource: of each
    code its QR code, the code, and the address to type."""
    said = {name: html.escape(render(name, translate)) for name in (_HEAD, _SAID, _CODE, _AT)}
    origin, _, token = html.escape(address).rstrip("/").rpartition("/")
    shown = f"{origin}/<wbr>{token}/"
    slips = "".join(
        f"<li>{qr_svg(f'{address}#{code}')}<br>{said[_CODE]} <b>{html.escape(code)}</b>"
        f"<small>{said[_AT]} {shown}</small></li>\n"
        for code in codes
    )
    return (
        f'<!doctype html>\n<html lang="{html.escape(language)}"><head><meta charset="utf-8">'
        f"<title>{said[_HEAD]}</title>"
        f"<style>{_STYLE}</style></head>\n<body><h1>{said[_HEAD]}</h1><p>{said[_SAID]}</p>\n"
        f"<ol>{slips}</ol></body></html>\n"
    )
