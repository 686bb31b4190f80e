"""How units stand at numbers, and months are named in English: patterns for Python's re and Arrow's
RE2 alike."""

UNIT = r"(?:[$€£¥%]|CHF|EUR|USD|GBP|Fr\.)"
MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
