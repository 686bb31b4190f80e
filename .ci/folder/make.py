"""The program as a folder that runs without Python, packed, with its checksum, and tried:

    python3 .ci/folder/make.py [OUT]        OUT: build/folder if it is not said

The folder runs on this kind of system, from this version of its C library on. It is made in an
environment of its own from the wheel of what stands here; PyInstaller comes from PyPI.
"""

import hashlib
import lzma
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WINDOWS = sys.platform == "win32"
SYSTEM = {"linux": "linux", "win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
NEWEST = "pyinstaller>=6.16,<7"


def run(*words: object, **more: object) -> str:
    """Its standard output. Raises CalledProcessError, after what it wrote is shown."""
    print("folder:", *words, flush=True)
    return subprocess.run(
        [str(word) for word in words], check=True, text=True, encoding="utf-8", stdout=-1, **more
    ).stdout


def made(out: Path) -> tuple[Path, Path]:
    """The folder, made by PyInstaller from the wheel, and the Python that it was made with."""
    work = out / "work"
    shutil.rmtree(work, ignore_errors=True)
    venv.create(work / "venv", with_pip=True)
    python = work / "venv" / ("Scripts/python.exe" if WINDOWS else "bin/python")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "wheel", "--no-deps", "--wheel-dir", work / "wheel", ROOT)
    run(*pip, "install", "--prefer-binary", *(work / "wheel").glob("*.whl"), NEWEST)
    where = ["--distpath", work / "dist", "--workpath", work / "build"]
    isolated = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    words = ["-y", "--log-level", "ERROR", *where, HERE / "dpstudio.spec"]
    # Not in the checkout, whose modules would come before those of the wheel.
    run(python, "-m", "PyInstaller", *words, cwd=work, env=isolated)
    folder = work / "dist" / "dpstudio"
    if SYSTEM == "linux":  # Debian's Python carries what a debugger needs, three quarters of it
        for library in (folder / "_internal").glob("libpython*.so*"):
            run("strip", "--strip-unneeded", library)
        for module in (folder / "_internal").rglob("*.cpython-*.so"):  # as some wheels do
            subprocess.run(["strip", "--strip-debug", module], check=True)
    site = next((work / "venv").rglob("site-packages"))
    for text in sorted(site.glob("*.dist-info/**/*")):
        if text.is_file() and text.name.upper().startswith(("LICEN", "COPYING", "NOTICE")):
            name = f"{text.relative_to(site).parts[0].removesuffix('.dist-info')}-{text.name}"
            to = folder / "licences" / name
            to.parent.mkdir(exist_ok=True)
            shutil.copyfile(text, to)
    return folder, python


def packed(folder: Path, out: Path) -> Path:
    """One file of it, named by version and system, and its checksum beside it."""
    version = run(folder / "dpstudio", "--version").split()[-1]
    name = f"dpstudio-{version}-{SYSTEM}-{platform.machine().lower()}"
    archive = out / f"{name}{'.zip' if WINDOWS else '.tar.xz'}"
    files = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    if WINDOWS:
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as held:
            for path in files:
                held.write(path, Path(name) / path.relative_to(folder))
    else:
        # A filter for machine code, and a window over all of it: both cost nothing to unpack.
        code = [{"id": lzma.FILTER_X86}] if platform.machine() in ("x86_64", "AMD64") else []
        filters = [*code, {"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 64 << 20}]
        with (
            lzma.open(archive, "wb", filters=filters) as body,
            tarfile.open(fileobj=body, mode="w") as held,
        ):
            for path in files:
                held.add(path, Path(name) / path.relative_to(folder))
    sums = out / f"{archive.name}.sha256"
    sums.write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
    return archive


def tried(folder: Path, python: Path) -> None:
    """Run it as somebody would who has no Python: with hardly an environment, in another folder.
    Raises where it does not do what is asked."""
    with tempfile.TemporaryDirectory(prefix="张伟 ") as place:
        home = {"HOME": place, "QT_QPA_PLATFORM": "offscreen"}
        if WINDOWS:
            home |= {n: os.environ[n] for n in ("SYSTEMROOT", "TEMP") if n in os.environ}
            home |= {"USERPROFILE": place, "APPDATA": place, "LOCALAPPDATA": place}
        start = {"cwd": place, "env": home}
        program = folder / "dpstudio"
        assert '"rows": 32561' in run(program, "run", "explore", "--json", **start)
        run(program, "run", "composition", "--out", "charts", **start)
        charts = {path.suffix for path in (Path(place) / "charts").iterdir()}
        assert {".svg", ".png", ".csv"} <= charts, charts
        # What is imported late, or by another process: digits of scikit-learn, a workbook.
        run(program, "run", "inversion", "--json", **start)
        run(program, "run", "owners", "--json", **start)
        book = Path(place) / "book.xlsx"
        write = (
            "import nasty, sys; open(sys.argv[1], 'wb').write(nasty.workbook(A=[['age'], [61]]))"
        )
        run(python, "-c", write, book, cwd=ROOT / "tests" / "files")
        assert '"rows": 1,' in run(program, "run", "explore", "--json", "--data", book, **start)


def main() -> None:
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "folder").resolve()
    out.mkdir(parents=True, exist_ok=True)
    folder, python = made(out)
    tried(folder, python)
    archive = packed(folder, out)
    whole = sum(path.lstat().st_size for path in folder.rglob("*"))
    print(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB packed, {whole / 1e6:.0f} MB unpacked")


if __name__ == "__main__":
    main()
