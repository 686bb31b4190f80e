"""What the folder without Python starts: the command line, and the processes that work for it."""

import sys
from multiprocessing import freeze_support

if __name__ == "__main__":
    # Modules are files of their own: PyInstaller's finder is asked before each, and has none.
    sys.path_hooks[:] = [hook for hook in sys.path_hooks if "PyiFrozenFinder" not in repr(hook)]
    sys.path_importer_cache.clear()
    freeze_support()
    if sys.argv[1:2] == ["-c"]:  # workbooks are read by a process that is started as Python is
        exec(sys.argv[2], {"__name__": "__main__"})
        sys.exit()
    from dpstudio.cli import main

    sys.exit(main())
