"""Whether a parameter plays a part, by what is declared of it where it is."""

from typing import Any

from dpstudio.data.dataset import Dataset
from dpstudio.values.parameters import Parameters, roles


def plays(lab: Parameters, path: str, data: Dataset | None = None) -> bool:
    """Whether a lab has the parameter at a dotted path, and neither it nor what holds it lies
    idle; on a table also whether the column that it is about is of its type."""
    held: Any = lab
    for name in path.split("."):
        if isinstance(held, Parameters) and name in held.solved:
            return getattr(held, name) is not None
        # What a `Parameters` works out by itself is no parameter, though others of its family have
        # it.
        role = roles(type(held)).get(name)
        if role is None or (role.active_when and role.idle(held)):
            return False
        if role.holds is not None and data is not None:
            column, types = getattr(held, role.holds[0]), role.holds[1]
            if data.has(column) and data.info(column).type not in types:
                return False
        held = getattr(held, name)
    return True
