"""The catalogue of tales: small stories about privacy, each with parameters of its own."""

from dpstudio.labs.start.stories.stories.differencing import Differencing, Newspaper
from dpstudio.labs.start.stories.stories.group import Group
from dpstudio.labs.start.stories.stories.parallel import Parallel
from dpstudio.labs.start.stories.stories.sequential import Sequential
from dpstudio.labs.start.stories.stories.story import Story, Tale, Telling

STORIES: list[type[Story]] = [Newspaper, Differencing, Sequential, Parallel, Group]

__all__ = ["STORIES", "Story", "Tale", "Telling"]
