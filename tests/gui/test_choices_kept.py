"""What somebody chose stays when another field is chosen, also where both do not go together: then
that is said, with what would mend it."""

import pytest
from kept_choices import lost_choices
from odd_tables import odd_tables, peoples_tables

from dpstudio.data.dataset import Dataset
from dpstudio.labs import Lab
from dpstudio.labs.naming import every_lab

FRAMES = peoples_tables() | odd_tables()
TABLES = [Dataset(FRAMES[name], name) for name in ("visits", "one column of numbers")]
MOST = 24  # pairs of each lab on each table; `soak.py --only states` tries ten times as many


@pytest.mark.parametrize("kind", every_lab(), ids=lambda kind: kind.key)
def test_a_choice_stays_when_another_is_made(kind: type[Lab]) -> None:
    for data in TABLES:
        assert not lost_choices(kind, data, MOST), data.name
