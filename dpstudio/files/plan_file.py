"""A plan as a file: JSON with a digest, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from dpstudio.files.session import SessionError, write_text
from dpstudio.plans.plan import Plan, plan_text, read_plan
from dpstudio.values.messages import N_, because, say
from dpstudio.values.parameters import ParamError

_MOST = 10_000_000


def read_plan_file(path: Path) -> Plan:
    """The plan in a file. Raises SessionError with the file and the reason."""
    try:
        if path.stat().st_size > _MOST:
            raise SessionError(say("{path} is no plan of dpstudio.", path=path))
        return read_plan(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        text = N_("There is no {path}. Make one: dpstudio plan FILE new.")
        raise SessionError(say(text, path=path)) from None
    except OSError as error:
        why = because(error)
        raise SessionError(say("{path} could not be read: {why}.", path=path, why=why)) from error
    except UnicodeDecodeError:
        raise SessionError(say("{path} is no plan of dpstudio.", path=path)) from None
    except ParamError as error:
        where = f"{path}: {error.field}" if error.field else str(path)
        raise SessionError(say("{where}: {why}", where=where, why=error.sentence)) from None


def write_plan_file(path: Path, plan: Plan) -> None:
    """Write a plan. Raises SessionError with the reason."""
    write_text(path, plan_text(plan))
