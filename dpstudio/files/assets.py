"""Where the files that ship with the program are: inside the wheel, or beside the package in a
checkout."""

from pathlib import Path


def asset(*parts: str) -> Path:
    """The path of a shipped file, for example asset("fonts", "Inter-Regular.otf")."""
    package = Path(__file__).parent.parent
    inside = package / "assets"
    root = inside if inside.is_dir() else package.parent / "assets"
    return root.joinpath(*parts)
