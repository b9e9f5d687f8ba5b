"""The fields that calls of actions have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class CallFields(TypedDict, total=False):
    """The optional fields of a call: the selectors of its connection, its input partials and its idempotency key."""

    connection_external_id: str
    workspace_integration_id: str
    integration_alias: str
    end_user_id: str
    partial_ids: Sequence[str]
    idempotency_key: str


def required_workspace(workspace_id: str | None) -> str:
    if workspace_id:
        return workspace_id
    raise ValueError("workspace_id is missing: name it in the call, or in the options of the client")
