from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class DrawbridgeError(Exception):
    """The base of every error of this package."""


class ApiError(DrawbridgeError):
    """A request that the API refused.

    Each code has a class of its own: `NotFoundError`, `ValidationError`, `RateLimitedError`. A code that this version does not know is an
    `ApiError` itself.
    """

    def __init__(self, message: str, *, code: str, status: int, details: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """The error code, such as `NOT_FOUND`. Programs should compare the code, because the message may change."""
        self.status = status
        """The HTTP status of the response."""
        self.details = dict(details)
        self.headers = dict(headers)
        """The headers of the response, such as `retry-after`."""


class ConnectionError(DrawbridgeError):
    """No complete response of the API arrived: the connection was refused or ended early, or another server responded.

    `__cause__` is the original error, usually one of httpx.
    """


class RequestTimeoutError(DrawbridgeError):
    """No response arrived within the timeout."""
