from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Generic, Literal, TypedDict, TypeVar
from urllib.parse import quote

from pydantic import BaseModel

Result = TypeVar("Result")


class Omitted(Enum):
    """The type of `OMIT`."""

    OMIT = "omit"


OMIT: Final = Omitted.OMIT
"""An argument that is not sent. `None` is sent, as null."""
Omit = Literal[Omitted.OMIT]


class RequestOptions(TypedDict, total=False):
    """Options of one request. They override those of the client."""

    timeout: float
    """The longest time, in seconds, to connect, and to wait for each part of the response. Defaults to the timeout of the client."""
    max_retries: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Request(Generic[Result]):
    """A request as it is sent, and the model of each successful status."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Mapping[str, Any] | None = None
    returns: Mapping[int, type[BaseModel]] = field(default_factory=dict[int, type[BaseModel]])
    takes_long: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether the request changes nothing when it is sent twice: it reads, or it carries an idempotency key."""
        return self.method == "GET" or bool(self.body and isinstance(self.body.get("idempotencyKey"), str))

    def with_query(self, more: Mapping[str, Any]) -> Request[Result]:
        return Request(self.method, self.path, {**self.query, **more}, self.body, self.returns, self.takes_long)

    def json(self) -> dict[str, Any] | None:
        return None if self.body is None else {key: plain(value) for key, value in self.body.items() if value is not OMIT}

    def params(self) -> dict[str, str]:
        given = {key: value for key, value in self.query.items() if value is not OMIT and value is not None}
        return {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in given.items()}


def plain(value: Any) -> Any:
    """Returns the JSON of a value that contains models."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def to_path(template: str, *ids: str) -> str:
    """Replaces the placeholders of a path by the ids, in their order.

    Raises TypeError for an empty id, and for `.` and `..`, because the path would reach another operation: `DELETE /workspaces/` is not
    `DELETE /workspaces/{id}`.
    """
    path = template
    for one in ids:
        start, end = path.index("{"), path.index("}")
        path = path[:start] + quote(require_text(one, path[start + 1 : end]), safe="") + path[end + 1 :]
    return path


def require_text(value: object, name: str) -> str:
    if isinstance(value, str) and value not in ("", ".", ".."):
        return value
    raise TypeError(f"{name} must be an id (got {value!r})")


def require_url(url: str | None) -> str:
    """Returns the given address of the instance, or that of DRAWBRIDGE_URL. Raises ValueError if neither is an http or https address."""
    given = url or os.environ.get("DRAWBRIDGE_URL")
    if given and given.startswith(("http://", "https://")):
        return given.rstrip("/")
    raise ValueError(
        f"base_url must be the http or https address of your Drawbridge instance (got {given or 'none'}). Pass it, or set DRAWBRIDGE_URL."
    )


def require_key(key: str) -> str:
    """Returns the API key without spaces around it. Raises ValueError if a header cannot contain it: the error of httpx would reveal the key."""
    text = key.strip()
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    raise ValueError("api_key must be svc_ and letters and digits, without spaces and line breaks")
