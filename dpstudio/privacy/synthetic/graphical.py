"""Tables by graphical models: AIM and MST as OpenDP has them, on the library mbi (McKenna, Sheldon
& Miklau 2019, "Graphical-model based estimation and inference"). Both are an extra, imported where
it is asked for, in a process of its own: work that takes minutes can be ended there."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from dpstudio.privacy.synthetic.marginals import Codes
from dpstudio.privacy.synthetic.tree import ProgressCallback, quiet
from dpstudio.values.workers import apart

COMMAND = "pip install dpstudio[mbi]"
NEEDED = ("opendp", "mbi", "polars")
# OpenDP splits MST's ρ into parts whose sum can lie above it by a rounding, and then refuses: by
# its own arithmetic alone, whatever the table is. Another split is tried.
_SPLITS = tuple(0.9 - part / 1000 for part in range(40))


def there() -> bool:
    """Whether the extra is installed."""
    return all(find_spec(name) is not None for name in NEEDED)


def modelled(
    codes: Codes,
    sizes: Sequence[int],
    rho: float,
    algorithm: str,
    rows: int | None,
    contributions: int,
    alive: Callable[[], None],
    told: ProgressCallback = quiet,
) -> Codes:
    """Records of a graphical model, shape (rows, columns), as many as its noisy counts tell where
    `rows` is None: ρ-zCDP where so many rows (`contributions`) come or go, by `algorithm` "aim" or
    "mst", with noise of OpenDP's exact samplers. `alive` is called all the time, and ends the work
    where it raises; `told` hears which share of the budget was spent on counts, which is all that
    AIM's length depends on. RuntimeError with what the library says where that fails."""
    given = codes, tuple(sizes), rho, algorithm, rows, contributions
    return np.asarray(apart(fitted, *given, heard=told, alive=alive), dtype=np.int64)


def fitted(
    codes: Codes,
    sizes: Sequence[int],
    rho: float,
    algorithm: str,
    rows: int | None,
    contributions: int,
    told: ProgressCallback = quiet,
) -> Codes:
    """The same, in this process."""
    dp, pl = import_module("opendp.prelude"), import_module("polars")
    dp.enable_features("contrib")
    names = [f"c{place}" for place in range(len(sizes))]
    keys = {name: list(range(size)) for name, size in zip(names, sizes, strict=True)}
    frame = pl.LazyFrame({name: codes[:, place] for place, name in enumerate(names)})

    def released(how: Any) -> Any:
        context = dp.Context.compositor(
            data=frame,
            privacy_unit=dp.unit_of(contributions=contributions),
            privacy_loss=dp.loss_of(rho=rho),
            split_evenly_over=1,
        )
        query = context.query().select(*names)
        return query.contingency_table(keys=keys, algorithm=how).release()

    def estimated(domain: Any, measured: Any, *, potentials: Any = None) -> Any:
        # Counts that one row moves by at most 1 cost 1/2σ² each (Bun & Steinke 2016).
        spent = sum((contributions / each.stddev) ** 2 / 2 for each in measured)
        told(min(float(spent / rho), 1.0))
        return dp.mbi.mirror_descent(domain, measured, potentials=potentials)

    if algorithm == "aim":
        table = released(dp.mbi.AIM(queries=2, estimator=estimated))
    else:
        table = _tree(dp, released, estimated)
    # By “round”, its default, mbi 1.1 gives each value of a parent its children in one order, which
    # ties brothers to one another (total variation 0.57 for education and hours of Adult).
    drawn = table.synthesize(rows, method="sample")
    # OpenDP adds a cell for what is not listed, where nobody is; its noise belongs to the last one.
    columns = [
        drawn[name].fill_null(size - 1).to_numpy() for name, size in zip(names, sizes, strict=True)
    ]
    return np.stack(columns, 1).astype(np.int64)


def _tree(dp: Any, released: Callable[[Any], Any], estimated: Callable[..., Any]) -> Any:
    for split in _SPLITS:
        try:
            return released(dp.mbi.MST(measure_split=split, estimator=estimated))
        except dp.OpenDPException as error:
            if "insufficient budget" not in str(error):
                raise
            last = error
    raise last
