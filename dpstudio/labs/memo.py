"""Functions of one frozen state that are worked out at most once for it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

M = TypeVar("M")
R = TypeVar("R")


def once(function: Callable[[M], R]) -> Callable[[M], R]:
    """A function of a model whose answer is kept with the model, as long as that lives.

    The model is a frozen dataclass without slots, so that what was worked out cannot grow old.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def answer(model: M) -> R:
        kept: dict[str, Any] = model.__dict__
        if name not in kept:
            kept[name] = function(model)
        found: R = kept[name]
        return found

    return answer
