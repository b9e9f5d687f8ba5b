"""Code Mode: programs that run on an MCP server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import models
from ._errors import DrawbridgeError

WAIT_SECONDS = 55
"""How long one request waits for the approval of a run, before the next request continues the wait. The API accepts at most 60 seconds."""
_NOTHING = "The program returned nothing."
"""The content that the server sends for a program without a value. It is unambiguous, because a returned string is JSON and has quotes."""


class CodeRunError(DrawbridgeError):
    """A program failed, or its run cannot continue. `code` is an error code of Code Mode, such as `RUNTIME_ERROR`: see docs/code-mode.md."""

    def __init__(self, message: str, *, code: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self.details = dict(details)
        """The `line` and `column` of the error, and the `calls` of actions that already ran: do not run these again."""


@dataclass(frozen=True)
class CodeValue:
    """The result of a program."""

    value: Any
    """The returned value. None if the program returned none."""
    notes: list[str]
    """The console output of the program, and a note if the value was truncated."""


def to_value(result: models.CodeResult) -> CodeValue:
    """Returns the value of a program that has ended. Raises CodeRunError if it failed."""
    first, *notes = [part.text for part in result.content] or [""]
    if not result.is_error:
        return CodeValue(value=_parsed(first), notes=notes)
    about = result.structured_content
    code = about.code if about and about.code else "RUNTIME_ERROR"
    details: Mapping[str, Any] = (about.details if about else None) or {}
    raise CodeRunError(first, code=code, details=details)


def _parsed(text: str) -> Any:
    """A truncated value is text, not JSON."""
    if text == _NOTHING:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
