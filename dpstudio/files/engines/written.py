"""When files were written, in the words that a session keeps."""

from collections.abc import Iterable
from datetime import UTC, datetime

Version = tuple[str, str]  # what differs where rows do, and what of it is kept in words


def written(seconds: Iterable[float]) -> str:
    """When the last of some files was written."""
    last = datetime.fromtimestamp(max(seconds), UTC)
    return f"written {last.isoformat(timespec='seconds')}"
