from __future__ import annotations

import random
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from ._errors import ApiError, ConnectionError, RequestTimeoutError

_FIRST_DELAY = 0.5
_LONGEST_DELAY = 8.0
_LONGEST_RETRY_AFTER = 60.0
"""The longest pause, in seconds, that a retry waits because the server requests it.

If the server requests a longer pause, its error is raised, and the program decides whether to wait.
"""


def retry_delay(error: Exception, *, number: int, is_repeatable: bool) -> float | None:
    """Returns the seconds to wait before the request is sent again; None if it must not be.

    Requests that the server refused before it did anything (RATE_LIMITED, UNAVAILABLE) are always sent again. Without a response, or after a
    failure of the server, only repeatable ones are. `number` counts the attempts from 0.
    """
    if not _is_worth_retrying(error, number, is_repeatable):
        return None
    asked = retry_after(error.headers) if isinstance(error, ApiError) else None
    if asked is None:
        delay = min(_FIRST_DELAY * (1 << number), _LONGEST_DELAY)
        # Half of the delay is random, so that clients that failed at the same time do not retry at the same time.
        return delay / 2 + random.random() * delay / 2
    return asked if asked <= _LONGEST_RETRY_AFTER else None


def _is_worth_retrying(error: Exception, number: int, is_repeatable: bool) -> bool:
    if isinstance(error, (ConnectionError, RequestTimeoutError)):
        return is_repeatable
    if not isinstance(error, ApiError):
        return False
    if error.code == "RATE_LIMITED":
        return True
    if error.code == "UNAVAILABLE" and error.details.get("reason") != "outcome_unknown":
        return True
    if error.code == "DUPLICATE" and error.details.get("reason") == "in_progress":
        # The first attempt of the same idempotency key still runs: its response is stored when it ends.
        return is_repeatable and number > 0
    return is_repeatable and (error.status == 408 or error.status >= 500)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Reads `Retry-After`, in seconds: a number, or a date (RFC 9110, section 10.2.3)."""
    value = headers.get("retry-after", "")
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
