"""A talk of every lab on somebody's own table of visits, in which persons have several rows."""

from pathlib import Path

from odd_tables import peoples_tables

from dpstudio.data.codebook import Codebook
from dpstudio.files.tables import open_table
from dpstudio.files.talk import Step, Talk
from dpstudio.labs.naming import every_lab
from dpstudio.labs.question import reads_table


def talk_of_visits(folder: Path) -> Talk:
    """Its table is written to the folder; steps of labs that read none name none, as in a window
    whose table came from the clipboard."""
    path, book = folder / "visits.csv", Codebook().with_person("Patient ID", 3)
    peoples_tables()["visits"].to_csv(path, index=False)
    data = open_table(str(path)).described(book)
    labs = [kind().suited(data) for kind in every_lab()]
    return Talk(
        "Visits",
        tuple(
            Step(lab.key, lab, str(path) if reads_table(lab) else "", codebook=book) for lab in labs
        ),
    )
