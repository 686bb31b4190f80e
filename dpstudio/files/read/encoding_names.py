"""The encodings of text that can be chosen."""

from __future__ import annotations

from dpstudio.values.messages import N_

# Our name, which is Python's name of the codec, and what people call it.
ENCODINGS = {
    "auto": N_("As found"),
    "utf-8": N_("UTF-8"),
    "utf-16-le": N_("UTF-16, little-endian"),
    "utf-16-be": N_("UTF-16, big-endian"),
    "utf-32-le": N_("UTF-32, little-endian"),
    "utf-32-be": N_("UTF-32, big-endian"),
    "cp1252": N_("Western (Windows 1252)"),
    "iso8859-15": N_("Western (Latin 9)"),
    "latin-1": N_("Western (Latin 1)"),
    "mac-roman": N_("Western (Macintosh)"),
    "cp850": N_("Western (DOS 850)"),
    "cp437": N_("Western (DOS 437)"),
    "cp1250": N_("Central European (Windows 1250)"),
    "iso8859-2": N_("Central European (Latin 2)"),
    "cp1251": N_("Cyrillic (Windows 1251)"),
    "koi8-r": N_("Cyrillic (KOI8-R)"),
    "iso8859-5": N_("Cyrillic (ISO)"),
    "cp866": N_("Cyrillic (DOS 866)"),
    "cp1253": N_("Greek (Windows 1253)"),
    "cp1254": N_("Turkish (Windows 1254)"),
    "cp1255": N_("Hebrew (Windows 1255)"),
    "cp1256": N_("Arabic (Windows 1256)"),
    "cp1257": N_("Baltic (Windows 1257)"),
    "gb18030": N_("Chinese, simplified (GB 18030)"),
    "big5": N_("Chinese, traditional (Big5)"),
    "cp932": N_("Japanese (Shift JIS)"),
    "euc-jp": N_("Japanese (EUC)"),
    "cp949": N_("Korean (EUC)"),
}
