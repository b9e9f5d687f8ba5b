from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True)
class Event:
    """A server-sent event, with its data parsed."""

    event: str
    data: Any
    id: str | None = None


class EventReader:
    """Reads a `text/event-stream` line by line."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._event = "message"
        self._data: list[str] = []

    def read(self, line: str) -> Event | None:
        """Reads the next line. Returns an event if the line is the empty one that ends an event, and otherwise None."""
        if line == "":
            data, event = self._data, self._event
            self._data, self._event = [], "message"
            return Event(event=event, data=json.loads("\n".join(data)), id=self._id) if data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id":
            self._id = value
        return None


class Lines:
    """Splits text into lines at line feeds only: JSON may contain the other characters at which `str.splitlines` splits, such as U+2028."""

    def __init__(self) -> None:
        self._rest = ""

    def split(self, text: str) -> list[str]:
        *lines, self._rest = (self._rest + text).split("\n")
        return [line.removesuffix("\r") for line in lines]

    def end(self) -> list[str]:
        return [self._rest] if self._rest else []


def reader_of(kind: type[Any]) -> Callable[[str], Any | None]:
    """Returns a function that reads one line, and returns an item of the type if the line completes an item, and otherwise None."""
    if kind is Event:
        return EventReader().read
    if issubclass(kind, BaseModel):
        return lambda line: kind.model_validate_json(line) if line else None
    raise TypeError(f"{kind} is not streamed")


def items_of(lines: list[str], read: Callable[[str], Any | None]) -> list[Any]:
    return [item for item in map(read, lines) if item is not None]
