"""The signs that part, quote and group what a text holds, and the encodings of its letters, by the
names that choices have for them."""

from dpstudio.values.messages import N_

AUTO = "auto"  # as the file shows

# Our name, which is Python's name of the codec, and what people call it.
ENCODINGS = {
    AUTO: N_("As found"),
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

DELIMITERS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "pipe": "|",
    "space": " ",
    "colon": ":",
    "caret": "^",
    "tilde": "~",
    "ampersand": "&",
    "hash": "#",
    "slash": "/",
    "bang": "!",
    "broken_bar": "¦",
    "not_sign": "¬",
    "section": "§",
    "control_a": "\x01",
    "unit": "\x1f",
    "record": "\x1e",
    "two_colons": "::",
    "two_pipes": "||",
    "spaces": r" +",
    "wide": r" {2,}|\t+",
}
DELIMITER_LABELS = {
    AUTO: N_("As found"),
    "none": N_("None: one column"),
    "comma": N_("Comma ,"),
    "semicolon": N_("Semicolon ;"),
    "tab": N_("Tab"),
    "pipe": N_("Bar |"),
    "space": N_("One space"),
    "spaces": N_("Any run of spaces"),
    "wide": N_("Two or more spaces"),
    "colon": N_("Colon :"),
    "caret": N_("Caret ^"),
    "tilde": N_("Tilde ~"),
    "ampersand": N_("Ampersand &"),
    "hash": N_("Hash #"),
    "slash": N_("Slash /"),
    "bang": N_("Exclamation mark !"),
    "broken_bar": N_("Broken bar ¦"),
    "not_sign": N_("Not sign ¬"),
    "section": N_("Section sign §"),
    "control_a": N_("Control A"),
    "unit": N_("Unit separator"),
    "record": N_("Record separator"),
    "two_colons": N_("Two colons ::"),
    "two_pipes": N_("Two bars ||"),
}
QUOTES = {"double": '"', "single": "'", "none": ""}
THOUSANDS = {"none": "", "comma": ",", "point": ".", "space": " ", "apostrophe": "'"}
COMMENTS = {"none": "", "hash": "#", "percent": "%", "slashes": "//", "at": "@", "bang": "!"}
