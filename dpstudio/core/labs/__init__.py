"""The catalogue of labs: the pages of the studio, in order."""

from dpstudio.core.labs.explore import Explore
from dpstudio.core.labs.lab import Lab, never

LABS: list[type[Lab]] = [Explore]

__all__ = ["LABS", "Lab", "never"]
