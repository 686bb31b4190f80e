"""Files in the words of a call: name=@FILE reads it into the parameter."""

from pathlib import Path
from typing import Any

from dpstudio.values.domains import Domain, ParamError
from dpstudio.values.messages import N_, because, say


def given(domain: Domain, before: Any, name: str, value: str) -> Any:
    """What a word gives a parameter that holds `before`: itself, or what its file makes of it.
    Raises ParamError at `name`."""
    if not (domain.loads and value.startswith("@")):
        return value
    path = Path(value[1:]).expanduser()
    try:
        return domain.loaded(before, path.stem, path.read_text("utf-8"))
    except OSError as error:
        text = N_("{path} cannot be read: {reason}.")
        raise ParamError(name, say(text, path=str(path), reason=because(error))) from None
    except UnicodeDecodeError:
        raise ParamError(name, say("{path} is no text in UTF-8.", path=str(path))) from None
    except ParamError as error:
        raise error.within(name) from None
