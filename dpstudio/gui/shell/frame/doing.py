"""What the actions of the menus do, for who looks for one: a line by the name of each that does not
say it all."""

from collections.abc import Mapping

from dpstudio.gui.parts.tr import tr
from dpstudio.values.messages import N_

DOES = {
    N_("Columns and rows of this table"): N_("Each column with its type, role and values; rows."),
    N_("Open table or session …"): N_("CSV, Excel, Parquet, JSON or SQLite, or saved work."),
    N_("Open a folder of pictures …"): N_("Each picture becomes a row."),
    N_("Open from a database …"): N_("A DuckDB file, PostgreSQL, Spark, a folder of Parquet."),
    N_("Examples"): N_("Tables that come with the program."),
    N_("Paste a table"): N_("Reads what was copied in a spreadsheet."),
    N_("Recent"): N_("Tables and sessions that were open before."),
    N_("Beside this table"): N_("A second table: a population, or what an attacker has."),
    N_("Open a second table …"): N_("A population, or what an attacker has."),
    N_("Reload from the disk"): N_("Reads the file again, after it was changed."),
    N_("Read it in another way …"): N_("Delimiter, decimal comma, dates, header, sheet, encoding."),
    N_("Save"): N_("The session: all settings, and where the table lies; no rows."),
    N_("Save as …"): N_("The session under another name: all settings, no rows."),
    N_("Lessons"): N_("Tours that point, ask for a guess, and then show."),
    N_("New talk"): N_("Steps to show one by one, made of what is on the screen."),
    N_("Add this to the talk"): N_("What is on the screen, as the next step."),
    N_("Hand out the talk …"): N_("On paper or as a file: a web page or a PDF."),
    N_("Open a room, or show it …"): N_("People answer on their phones, by a code that they scan."),
    N_("All charts to a folder …"): N_("Each as PNG and SVG, with its numbers as CSV."),
    N_("All charts without the exact answer …"): N_("Pictures and numbers of one noisy draw."),
    N_("A report of the pages that were opened …"): N_("Charts and words in one file: web or PDF."),
    N_("Copy the sentences"): N_("What the page says in words, to the clipboard."),
    N_("Copy as a command"): N_("The page as a line for the command line."),
    N_("As script …"): N_("The page in Python, for OpenDP, or as a notebook."),
    N_("Undo"): N_("Takes back the last change."),
    N_("Redo"): N_("Does again what was taken back."),
    N_("Reset this page"): N_("All of its settings as they were at first."),
    N_("Neighbours"): N_("Whether one row is added or removed, or replaced."),
    N_("Dark"): N_("Dark colours, or light ones again."),
    N_("Less motion"): N_("Nothing moves by itself."),
    N_("New draws"): N_("All noise is drawn anew."),
    N_("Explain this, then the manual"): N_("The term under the focus or the pointer."),
    N_("Manual"): N_("All pages of help, beside the page that is open."),
    N_("Keys"): N_("All keys, in a list of the manual."),
    N_("First minute"): N_("Where to begin: four doors and three hints."),
    N_("Cite this page"): N_("BibTeX of its formulas, its table and the program."),
    N_("About dpstudio"): N_("Licence, sources, how to cite, where files lie."),
    N_("Settings"): N_("Undo, look, language, size of type, motion."),
    N_("Copy picture"): N_("This chart to the clipboard, as a picture."),
    N_("Copy data"): N_("The numbers of this chart to the clipboard."),
    N_("Save as PNG …"): N_("This chart as a picture."),
    N_("Save as SVG …"): N_("This chart as a drawing that can be edited."),
    N_("Save as PDF …"): N_("This chart as a page."),
    N_("Save as CSV …"): N_("The numbers of this chart, for a spreadsheet."),
    N_("Save without the exact answer …"): N_("This chart of one noisy draw."),
    N_("Figure for print …"): N_("This chart in millimetres: a column, a slide, a poster."),
    N_("How to read this chart"): N_("What its marks and axes mean."),
    N_("Fill the window"): N_("This chart alone."),
}  # fmt: skip

# What tells something, or turns to it: who asks how to do that may as well be there.
ONLY_TELLS = (
    N_("Columns and rows of this table"), N_("Lessons"), N_("Explain this, then the manual"),
    N_("Manual"), N_("Keys"), N_("First minute"), N_("Cite this page"), N_("About dpstudio"),
    N_("How to read this chart"),
)  # fmt: skip


def does() -> Mapping[str, str]:
    """By the names as they are shown."""
    return {tr(name): tr(told) for name, told in DOES.items()}


def only_tells() -> frozenset[str]:
    """The names, as they are shown, of what does no more than tell."""
    return frozenset(map(tr, ONLY_TELLS))
