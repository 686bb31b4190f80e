"""Whether the number of people is public, so that what depends on it may leave the program."""

from dpstudio.data.dataset import Dataset
from dpstudio.values.messages import N_, Message


def not_public(data: Dataset) -> Message | None:
    """Why the number of people of a table is not public where one is replaced; None where it is:
    each row is one person then, or it is told how many persons there are. Rows cannot tell: any
    number of those of one person may name nobody, or others."""
    if data.contributions > 1:
        text = N_(
            "A person may have several rows here, so the number of rows tells of persons: what "
            "depends on it cannot leave. Let each person have one row."
        )
        return Message(text)
    if data.person and data.codebook.people is None:
        text = N_(
            "One person whose rows name nobody would change how many persons are counted here. Say "
            "how many there are where you say who a person is, if you know it from outside."
        )
        return Message(text)
    return None
