"""A page of HTML that is one file: nothing is ever fetched, whoever opens it."""

from dpstudio.files.write.svg import FONTS
from dpstudio.files.write.svg_text import escaped

STYLE = f"""
:root {{ color-scheme: light; }}
body {{ font: 16px/1.5 {FONTS}; color: #1b1e22; background: #fff; max-width: 46rem;
        margin: 2rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.8rem; line-height: 1.2; }} h2 {{ font-size: 1.25rem; margin: 0 0 .4rem; }}
section {{ break-inside: avoid; padding: 1.4rem 0; border-top: 1px solid #e4e3df; }}
figure {{ margin: .8rem 0 0; overflow-x: auto; }}
svg {{ width: 100%; min-width: 34rem; height: auto; overflow: visible; }}
figcaption, footer {{ color: #5c6066; font-size: .8rem; line-height: 1.4; }}
@media print {{ body {{ margin: 0; max-width: none; }} svg {{ min-width: 0; }} }}
"""


def page(title: str, body: str, foot: str, language: str, style: str = "") -> str:
    """The page with its title above `body`, both of them HTML, and its own `style` besides."""
    return (
        f'<!DOCTYPE html>\n<html lang="{escaped(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{escaped(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escaped(title)}</h1>\n{body}\n</main>\n<footer><p>{foot}</p></footer>\n"
        "</body>\n</html>\n"
    )
