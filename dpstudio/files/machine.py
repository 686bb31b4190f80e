"""The machine that a run is given: chance from the system, and a clock."""

import secrets
import time

from dpstudio.labs.context import Machine

MACHINE = Machine(secrets.randbelow, time.perf_counter)
