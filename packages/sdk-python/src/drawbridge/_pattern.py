"""Regular expressions of JSON Schema, which are those of JavaScript with the flag `u`."""

from __future__ import annotations

import re
import sys
from functools import lru_cache

# Classes differ: \d and \w of JavaScript match only ASCII, and its \s matches the byte order mark but not the separators U+001C to U+001F.
_DIGIT = "0-9"
_NOT_DIGIT = r"\x00-/:-\U0010ffff"
_WORD = "0-9A-Z_a-z"
_NOT_WORD = r"\x00-/:-@\[-\^`{-\U0010ffff"
_SPACE = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NOT_SPACE = r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
_SETS = {r"\d": _DIGIT, r"\D": _NOT_DIGIT, r"\w": _WORD, r"\W": _NOT_WORD, r"\s": _SPACE, r"\S": _NOT_SPACE}

_CHARACTER = (
    r"(?P<pair>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u\{(?P<long>[0-9a-fA-F]+)\}|\\u(?P<short>[0-9a-fA-F]{4})|\\x(?P<byte>[0-9a-fA-F]{2})|\\c(?P<control>[A-Za-z])"
)
# A name ends before the next parenthesis or backslash, so that a pattern without its end is read in linear time.
_GROUP = r"\(\?<(?P<name>[^=!>()\\][^>()\\]*)>|\(\?(?:<?[=!]|:)|\(\?"
_OUTSIDE = re.compile(rf"{_CHARACTER}|\\k<(?P<reference>[^>()\\]*)>|\\(?P<number>[1-9][0-9]*)|\\.|{_GROUP}|\[\^?\]?|.", re.S)
_INSIDE = re.compile(rf"{_CHARACTER}|\\.|.", re.S)

_CONTROLS = {r"\0": "\0", r"\t": "\t", r"\n": "\n", r"\v": "\v", r"\f": "\f", r"\r": "\r"}
_SAME_MEANING = frozenset(["(?:", "(?=", "(?!", "(?<=", "(?<!", "^", "|", "*", "+", "?", "{", "}", ")"])
_OTHER_MEANING = {
    "$": r"\Z",  # In Python, $ also accepts a line break at the end.
    ".": r"[^\n\r\u2028\u2029]",
    "[]": "(?!)",
    "[^]": "(?s:.)",
    r"\b": r"(?a:\b)",
    r"\B": r"(?!(?a:\b))",  # In Python, \B refuses the empty text.
}


@lru_cache(maxsize=512)
def to_pattern(source: str) -> re.Pattern[str]:
    """Compiles a pattern of JavaScript. Raises ValueError for one that Python does not have, such as a Unicode property."""
    try:
        return re.compile(_Translation(source).text())
    except (re.error, OverflowError, RecursionError) as error:
        raise _refusal(f"The pattern {source}", error) from error


def _refusal(subject: str, reason: object = "") -> ValueError:
    why = f": {reason}" if reason else ""
    return ValueError(f"{subject} cannot be checked in Python{why}. Check the input with a request.")


class _Translation:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.groups = 0
        self.names: dict[str, int] = {}
        self.open: list[int] = []
        """The numbers of the groups that are open; 0 for a group that does not capture, such as `(?:`."""
        self.usable: set[int] = set()
        """The numbers of the groups to which a backreference has the same meaning in Python and in JavaScript."""

    def text(self) -> str:
        parts: list[str] = []
        while self.at < len(self.source):
            token = self._next(_OUTSIDE)
            parts.append(self._set(token[0]) if token[0] in ("[", "[^") else self._outside(token))
        return "".join(parts)

    def _next(self, tokens: re.Pattern[str]) -> re.Match[str]:
        token = tokens.match(self.source, self.at)
        if token is None:
            raise AssertionError  # Each pattern of tokens accepts any character.
        self.at = token.end()
        return token

    def _outside(self, token: re.Match[str]) -> str:
        text = token[0]
        if text == "(" or token["name"]:
            return self._capture(token["name"])
        if text == ")":
            self._close()
        elif text == "(?":
            raise _refusal(f"The group {self.source[self.at - 2 : self.at + 2]} of a pattern")
        elif text.startswith("(?"):
            self.open.append(0)
        if token["number"] or token["reference"] is not None:
            return self._backreference(text, int(token["number"] or 0) or self.names.get(token["reference"], 0))
        if text in _SETS:
            return f"[{_SETS[text]}]"
        return _OTHER_MEANING.get(text) or (text if text in _SAME_MEANING else re.escape(_character(token)))

    def _capture(self, name: str | None) -> str:
        """Returns an unnamed group, because Python accepts fewer group names than JavaScript. Backreferences use the number of the group."""
        self.groups += 1
        self.open.append(self.groups)
        if name:
            self.names[name] = self.groups
        return "("

    def _close(self) -> None:
        number = self.open.pop() if self.open else 0
        is_repeated = self.source[self.at : self.at + 1] in ("*", "+", "?", "{")
        # A group within another group or with a quantifier may repeat. JavaScript clears its captured text at each repetition, and Python does not.
        if number and not self.open and not is_repeated:
            self.usable.add(number)

    def _backreference(self, text: str, number: int) -> str:
        if number not in self.usable:
            raise _refusal(f"The backreference {text} of a pattern")
        return f"(?({number})\\{number}|)"  # In JavaScript, a group that matched nothing is empty.

    def _set(self, start: str) -> str:
        parts, begins, ends = [start], False, False  # whether a range can begin with the last character, and must end with the next one
        while self.at < len(self.source):
            token = self._next(_INSIDE)
            text = token[0]
            if text == "]":
                return "".join([*parts, "]"])
            if text == "-" and begins and self.source[self.at : self.at + 1] != "]":
                parts.append("-")
                begins, ends = False, True
                continue
            parts.append(_SETS[text] if text in _SETS else re.escape("\b" if text == r"\b" else _character(token)))
            begins, ends = text not in _SETS and not ends, False
        raise _refusal(f"The pattern {self.source}", "a set has no end")


def _character(token: re.Match[str]) -> str:
    """Returns the character that a token stands for."""
    text = token[0]
    if token["pair"]:
        high, low = int(text[2:6], 16), int(text[8:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if token["control"]:
        return chr(ord(token["control"]) % 32)
    code = token["long"] or token["short"] or token["byte"]
    if code and int(code, 16) <= sys.maxunicode:
        return chr(int(code, 16))
    if text[0] != "\\" or len(text) == 1:
        return text
    if text in _CONTROLS:
        return _CONTROLS[text]
    if text[1].isalnum():
        raise _refusal(f"The escape {text} of a pattern")
    return text[1]
