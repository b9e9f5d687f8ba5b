"""The idempotency keys of calls that a person must approve."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ._codes import ActionFailedError, ForbiddenError, ValidationError

_MAX_KEYS = 100
"""Enough for the open approvals of an agent."""


class ApprovedCalls:
    """The keys of one tool.

    A tool call id is no idempotency key. Some providers count it from 0 in each conversation, and keys belong to the organization: the call would get
    the response of another conversation.
    """

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}

    def add(self, input: Mapping[str, Any], key: str) -> None:
        self._store(_canonical(input), key)

    @contextmanager
    def sending(self, input: Mapping[str, Any]) -> Iterator[str | None]:
        """Yields the key of the approval of a call, if it has one.

        After an error that does not tell whether the call ran, the same call has this key again, so that it cannot run twice.
        """
        call = _canonical(input)
        # The same call beside this one is another one, and needs its own approval.
        key = self._keys.pop(call, None)
        try:
            yield key
        except BaseException as error:
            if key is not None and not _is_final(error):
                self._store(call, key)
            raise

    def _store(self, call: str, key: str) -> None:
        self._keys[call] = key
        if len(self._keys) > _MAX_KEYS:
            del self._keys[next(iter(self._keys))]


def _is_final(error: BaseException) -> bool:
    """Returns True if the same call would get the same error again: it is the stored response of the key, or a policy blocks the call.

    A key of a stored ACTION_FAILED with an unknown outcome would never run: a person decides whether the call is sent again.
    """
    is_blocked = isinstance(error, ForbiddenError) and "policyId" in error.details
    return is_blocked or isinstance(error, (ActionFailedError, ValidationError))


def _canonical(input: Mapping[str, Any]) -> str:
    """Models do not repeat the order of keys."""
    return json.dumps(input, sort_keys=True)
