"""The idempotency keys of calls that a person must approve."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from ._codes import ActionFailedError, ForbiddenError, ValidationError

_MAX_KEYS = 100
"""Maximum number of stored keys of one tool, which limits the memory of a long-running agent. The oldest key is deleted first."""


class ApprovedCalls:
    """The idempotency keys of the approved calls of one tool, by the input of the call.

    The id of a tool call cannot be the idempotency key: some model providers count these ids from 0 in each conversation, and all calls of an
    organization share their keys, so a call could get the response of another conversation.
    """

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}

    def add(self, input: Mapping[str, Any], key: str) -> None:
        self._store(_canonical(input), key)

    @contextmanager
    def sending(self, input: Mapping[str, Any]) -> Generator[str | None, None, None]:
        """Yields the key of the approval of a call, if it has one.

        If an error leaves it unknown whether the call ran, the key stays stored for the same call, so that the call cannot run twice.
        """
        call = _canonical(input)
        # An identical call that is sent at the same time is a second call, and needs its own approval.
        key = self._keys.pop(call, None)
        try:
            yield key
        except BaseException as error:
            if key is not None and not _ends_approval(error):
                self._store(call, key)
            raise

    def _store(self, call: str, key: str) -> None:
        self._keys[call] = key
        if len(self._keys) > _MAX_KEYS:
            del self._keys[next(iter(self._keys))]


def _ends_approval(error: BaseException) -> bool:
    """Returns True if the approval of a call is of no use after the error.

    The error is then the stored response of its key, or the approval was used by another call or has expired. A stored ACTION_FAILED ends it even if its
    outcome is unknown: its key would return it again, and a new call needs a new approval. A policy that blocks the call does not end it: the call runs
    if the policy is removed in time.
    """
    is_spent = isinstance(error, ForbiddenError) and error.details.get("reason") in ("used", "expired")
    return is_spent or isinstance(error, (ActionFailedError, ValidationError))


def _canonical(input: Mapping[str, Any]) -> str:
    """Returns the JSON with sorted keys, because a model that repeats a call may write its keys in another order."""
    return json.dumps(input, sort_keys=True)
