"""What the folder without Python starts: the command line, and the processes that work for it."""

import sys
from multiprocessing import freeze_support

if __name__ == "__main__":
    freeze_support()
    if sys.argv[1:2] == ["-c"]:  # workbooks are read by a process that is started as Python is
        exec(sys.argv[2], {"__name__": "__main__"})
        sys.exit()
    from dpstudio.cli import main

    sys.exit(main())
