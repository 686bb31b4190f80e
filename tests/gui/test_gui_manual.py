"""The manual beside the page: opened by a key, read, left, and found."""

from __future__ import annotations

import re

import pytest
from hand import paint_now, press
from manual import HELP, keys
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpstudio.files.manual import INDEX, NoPageError, manual_page, manual_pages
from dpstudio.gui.shell.finding import MANUAL, best, manual
from dpstudio.gui.shell.pages import DATA_PAGE
from dpstudio.gui.shell.studio import Studio
from dpstudio.labs import LABS

ALT = Qt.KeyboardModifier.AltModifier
Key = Qt.Key
