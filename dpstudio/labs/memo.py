"""Functions of one frozen state that are worked out at most once for it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

M = TypeVar("M")
P = ParamSpec("P")
R = TypeVar("R")


def once(function: Callable[Concatenate[M, P], R]) -> Callable[Concatenate[M, P], R]:
    """A function of a model whose answer is kept with the model, as long as that lives. What else
    it is given, as who may stop it, decides nothing of the answer.

    The model is a frozen dataclass without slots, so that what was worked out cannot grow old.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def answer(model: M, /, *args: P.args, **more: P.kwargs) -> R:
        kept: dict[str, Any] = model.__dict__
        if name not in kept:
            kept[name] = function(model, *args, **more)
        found: R = kept[name]
        return found

    return answer
