"""The catalogue of tales: small stories about privacy, each with parameters of its own."""

from dpstudio.core.labs.stories.differencing import Differencing, Newspaper
from dpstudio.core.labs.stories.group import Group
from dpstudio.core.labs.stories.parallel import Parallel
from dpstudio.core.labs.stories.sequential import Sequential
from dpstudio.core.labs.stories.tale import Desk, Tale

STORIES: list[type[Tale]] = [Newspaper, Differencing, Sequential, Parallel, Group]

__all__ = ["STORIES", "Desk", "Tale"]
