"""Writing a file: whole or not at all, as the file that was there was kept."""

import errno
import os
import platform
import re
import stat
import time
import zlib
from contextlib import suppress
from pathlib import Path

_OLD_S = 86_400  # what another machine left in a folder that is shared


def replace_file(path: Path, content: bytes, mode: int | None = None) -> None:
    """Write a file atomically: a reader sees the old bytes or all of the new.

    A file that was there keeps its permission bits and its group, and one that a link names is
    written where it is; `mode` sets the bits all the same. Raises OSError, also where the file is
    read-only, as a folder would let it be replaced.
    """
    path = Path(os.path.realpath(path))
    held = _held(path)
    if held is not None and not stat.S_ISREG(held.st_mode):
        if stat.S_ISDIR(held.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        path.write_bytes(content)  # a pipe or a device is written to, and stays what it is
        return
    if held is not None and not (held.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise PermissionError(errno.EACCES, "it is read-only", str(path))
    draft = path.with_name(f"{_mark(path.name)}{os.getpid()}-{os.urandom(4).hex()}")
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else mode)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if held is not None:
            with suppress(OSError, AttributeError):  # a group that is not ours, or Windows
                os.chown(draft, -1, held.st_gid)
        bits = stat.S_IMODE(held.st_mode) if mode is None and held is not None else mode
        if bits is not None:
            os.chmod(draft, bits)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def sweep(path: Path) -> None:
    """Remove what writing this file left behind where the program was killed in the middle."""
    path = Path(os.path.realpath(path))
    _sweep(path.parent, _crc(path.name))


def sweep_folder(folder: Path) -> None:
    """Remove what writing any file of a folder that is ours left behind."""
    _sweep(folder, "[a-f0-9]{8}")


def _sweep(folder: Path, file: str) -> None:
    pattern = re.compile(rf"\.dpstudio-{file}-([a-f0-9]{{8}})-(\d+)-[a-f0-9]{{8}}")
    with suppress(OSError):
        for name in os.listdir(folder):
            found = pattern.fullmatch(name)
            if found is None:
                continue
            draft = folder / name
            with suppress(OSError):
                ended = found[1] == _crc(platform.node()) and not _runs(int(found[2]))
                if ended or time.time() - draft.stat().st_mtime > _OLD_S:
                    draft.unlink()


def _held(path: Path) -> os.stat_result | None:
    """The file as it is; None where there is none yet."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _crc(text: str) -> str:
    return f"{zlib.crc32(text.encode(errors='replace')):08x}"


def _mark(name: str) -> str:
    """How a draft of that file begins on this machine, short however long the name is."""
    return f".dpstudio-{_crc(name)}-{_crc(platform.node())}-"


def _runs(process: int) -> bool:
    """Whether that process still runs; True where that cannot be asked."""
    if os.name != "posix":
        return process == os.getpid()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
