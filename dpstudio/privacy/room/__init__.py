"""A survey whose noise is made in the phones of a room: what is asked, the exact law of a report,
and what all of them say. No network."""

from dpstudio.privacy.room.law import Law, law, possible, randomise
from dpstudio.privacy.room.question import Question, Report, Reports, read_report, written
from dpstudio.privacy.room.reports import (
    Estimate,
    ReportOdds,
    combined,
    estimates,
    needed,
    reach,
    told,
    weighted,
)

__all__ = [
    "Estimate",
    "Law",
    "Question",
    "Report",
    "ReportOdds",
    "Reports",
    "combined",
    "estimates",
    "law",
    "needed",
    "possible",
    "randomise",
    "reach",
    "read_report",
    "told",
    "weighted",
    "written",
]
