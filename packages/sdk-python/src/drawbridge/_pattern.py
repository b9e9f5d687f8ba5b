"""Regular expressions of JSON Schema, which are those of JavaScript with the flag `u`."""

from __future__ import annotations

import re
from functools import lru_cache

# JavaScript counts other characters than Python: its \d and \w are ASCII, its \s has the byte order mark and not the separators U+001C to U+001F.
_DIGIT = "0-9"
_NOT_DIGIT = r"\x00-/:-\U0010ffff"
_WORD = "0-9A-Z_a-z"
_NOT_WORD = r"\x00-/:-@\[-\^`{-\U0010ffff"
_SPACE = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NOT_SPACE = r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
_SETS = {"d": _DIGIT, "D": _NOT_DIGIT, "w": _WORD, "W": _NOT_WORD, "s": _SPACE, "S": _NOT_SPACE}
_TOKEN = re.compile(r"\\u\{([0-9a-fA-F]+)\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\(\?<(?![=!])|.", re.S)
_SAME = frozenset("bBtnrfv0123456789")


@lru_cache(maxsize=512)
def to_pattern(source: str) -> re.Pattern[str]:
    """Compiles a pattern of JavaScript. Raises ValueError for one that Python does not have, such as a Unicode property."""
    parts: list[str] = []
    is_set = False
    for token in _TOKEN.finditer(source):
        text = token[0]
        parts.append(_in_set(text, token[1]) if is_set else _outside(text, token[1]))
        is_set = text != "]" if is_set else text == "["
    translated = "".join(parts).replace("[^]", "(?s:.)").replace("[]", "(?!)")
    try:
        return re.compile(translated)
    except re.error as error:
        raise ValueError(f"The pattern {source} cannot be checked in Python: {error}. Check the input with a request.") from error


def _outside(text: str, code: str | None) -> str:
    if text == "$":
        return r"\Z"  # In Python, $ also accepts a line break at the end.
    if text == ".":
        return r"[^\n\r\u2028\u2029]"
    if text == "(?<":
        return "(?P<"
    if text[1:] in _SETS and text[0] == "\\":
        return f"[{_SETS[text[1:]]}]"
    return _escape(text, code)


def _in_set(text: str, code: str | None) -> str:
    if text[0] == "\\" and text[1:] in _SETS:
        return _SETS[text[1:]]
    if text == r"\b":
        return r"\x08"
    return "\\" + text if text in "[&~|" else _escape(text, code)


def _escape(text: str, code: str | None) -> str:
    """Returns a token as Python writes it."""
    if code is not None:
        return f"\\U{int(code, 16):08x}"
    if text[0] != "\\" or len(text) > 2:
        return text
    if text[1] in _SAME:
        return text
    if text[1].isalpha():
        raise ValueError(f"The escape {text} of a pattern cannot be checked in Python. Check the input with a request.")
    return re.escape(text[1])
