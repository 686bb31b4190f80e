"""The window, its pages and menus, and what ties them."""

import builtins

import PySide6  # noqa: F401

# PySide reads the source of every module that is imported after it, in search of `__feature__`, and
# linecache keeps all of it: a tenth of a second of the start, and 40 MB. Nothing here asks for one.
builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
