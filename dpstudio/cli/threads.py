"""How many threads numpy's products have, said before numpy is imported.

Threads wait for each other by spinning: the many small matrices of a simulation take thirty times
as long with two of them as with one.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
