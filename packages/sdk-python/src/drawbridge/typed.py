"""The bases of the clients in modules that `drawbridge generate` writes."""

from __future__ import annotations

from ._resources import Actions, AsyncActions
from .async_client import AsyncDrawbridge, AsyncDrawbridgeBase, AsyncWorkspaceActions
from .client import Drawbridge, DrawbridgeBase, WorkspaceActions

__all__ = ["AsyncTypedActionsBase", "AsyncTypedClientBase", "TypedActionsBase", "TypedClientBase"]


class TypedActionsBase(Actions):
    def __init__(self, actions: WorkspaceActions) -> None:
        super().__init__(actions._transport)


class TypedClientBase(DrawbridgeBase):
    """Has all resources of a client except `actions`, and uses its connections."""

    def __init__(self, client: Drawbridge) -> None:
        super().__init__(client._transport)


class AsyncTypedActionsBase(AsyncActions):
    def __init__(self, actions: AsyncWorkspaceActions) -> None:
        super().__init__(actions._transport)


class AsyncTypedClientBase(AsyncDrawbridgeBase):
    """Has all resources of a client except `actions`, and uses its connections."""

    def __init__(self, client: AsyncDrawbridge) -> None:
        super().__init__(client._transport)
