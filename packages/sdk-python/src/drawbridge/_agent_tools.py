"""Actions as tools of any framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypedDict, TypeVar

from . import models
from ._approved_calls import ApprovedCalls
from ._call_fields import CallFields
from ._chosen_actions import Chosen, choose, integrations_of
from ._errors import DrawbridgeError
from ._tool_texts import approval_text, error_text
from .async_client import AsyncDrawbridge
from .catalog import read_catalog, read_catalog_async
from .client import Drawbridge

Call = TypeVar("Call")
SyncCall = Callable[[Mapping[str, Any]], Any]
AsyncCall = Callable[[Mapping[str, Any]], Awaitable[Any]]


class _Selector(TypedDict, total=False):
    workspace_id: str
    connection_external_id: str
    workspace_integration_id: str
    integration_alias: str
    end_user_id: str
    partial_ids: Sequence[str]


class _Options(_Selector, total=False):
    on_approval: Literal["wait", "return"]
    """The behavior of a call that a person must approve first.

    `return` (the default) returns a text with the link of the approval to the model, which can repeat the call after the approval. `wait` blocks
    until the decision, and then runs the action.
    """
    poll_seconds: float
    """The first pause between two requests for the decision, in seconds, if `on_approval` is `wait`. Defaults to 1; pauses grow to ten times that."""


class ToolOptions(_Options, total=False):
    """The workspace, end user and connection of every call, as `client.actions.run` takes them, and what happens if a person must approve it."""

    on_approval_required: Callable[[models.RequiredApproval], None]


class AsyncToolOptions(_Options, total=False):
    """The ToolOptions for `AsyncDrawbridge`. `on_approval_required` may also be a coroutine function."""

    on_approval_required: Callable[[models.RequiredApproval], Awaitable[None] | None]


@dataclass(frozen=True)
class AgentTool(Generic[Call]):
    """An action as a tool."""

    name: str
    """The name for the model: at most 64 letters, digits and underscores, unique among the returned tools."""
    description: str
    schema: dict[str, Any]
    call: Call
    """Runs the action with the input.

    Returns its output, or a text for the model if the action did not run or failed. Raises any error that the model cannot act on, such as one of
    the API key, the connection or the service.
    """


def agent_tools(client: Drawbridge, actions: Sequence[str], options: ToolOptions) -> list[AgentTool[SyncCall]]:
    """Returns the actions, such as `github.create_issue` or `github.*`, as tools. Raises ValueError if the instance does not have one of them."""
    catalog = read_catalog(client, integrations_of(actions))
    return [AgentTool(one.name, one.description, one.schema, _caller(client, one, options)) for one in choose(catalog, actions)]


async def async_agent_tools(client: AsyncDrawbridge, actions: Sequence[str], options: AsyncToolOptions) -> list[AgentTool[AsyncCall]]:
    """Returns the tools of `agent_tools`, with calls that are coroutines."""
    catalog = await read_catalog_async(client, integrations_of(actions))
    return [AgentTool(one.name, one.description, one.schema, _async_caller(client, one, options)) for one in choose(catalog, actions)]


class _Calls:
    """The state of the calls of one tool: its options, and the idempotency keys of its approvals."""

    def __init__(self, options: _Options) -> None:
        self.selector: dict[str, Any] = {key: value for key, value in options.items() if key in _Selector.__optional_keys__}
        self.waits = options.get("on_approval") == "wait"
        polling = {"poll_seconds": options["poll_seconds"]} if "poll_seconds" in options else {}
        self.waiting: dict[str, Any] = {**self.selector, **polling}
        self.approved = ApprovedCalls()

    @contextmanager
    def sending(self, input: Mapping[str, Any]) -> Generator[dict[str, Any], None, None]:
        """Yields the fields of a call besides its action and input: its selector of a connection, and the idempotency key of its approval."""
        with self.approved.sending(input) as key:
            yield {**self.selector, **(CallFields(idempotency_key=key) if key else {})}


def _caller(client: Drawbridge, tool: Chosen, options: ToolOptions) -> SyncCall:
    calls, notify = _Calls(options), options.get("on_approval_required")

    def run(input: Mapping[str, Any]) -> Any:
        target = (tool.integration, tool.action, input)
        if calls.waits:
            return client.execute_with_approval(*target, on_approval_required=notify, **calls.waiting).output
        with calls.sending(input) as fields:
            result = client.actions.run(*target, **fields)
        if isinstance(result, models.ExecutedAction):
            return result.output
        calls.approved.add(input, result.approval.retry.idempotency_key)
        if notify is not None:
            notify(result.approval)
        return approval_text(tool.name, result.approval)

    def call(input: Mapping[str, Any]) -> Any:
        try:
            return run(input)
        except DrawbridgeError as error:
            return _text_of(tool, error)

    return call


def _async_caller(client: AsyncDrawbridge, tool: Chosen, options: AsyncToolOptions) -> AsyncCall:
    calls, notify = _Calls(options), options.get("on_approval_required")

    async def run(input: Mapping[str, Any]) -> Any:
        target = (tool.integration, tool.action, input)
        if calls.waits:
            return (await client.execute_with_approval(*target, on_approval_required=notify, **calls.waiting)).output
        with calls.sending(input) as fields:
            result = await client.actions.run(*target, **fields)
        if isinstance(result, models.ExecutedAction):
            return result.output
        calls.approved.add(input, result.approval.retry.idempotency_key)
        notified = notify(result.approval) if notify is not None else None
        if notified is not None:
            await notified
        return approval_text(tool.name, result.approval)

    async def call(input: Mapping[str, Any]) -> Any:
        try:
            return await run(input)
        except DrawbridgeError as error:
            return _text_of(tool, error)

    return call


def _text_of(tool: Chosen, error: DrawbridgeError) -> str:
    text = error_text(tool.name, error)
    if text is None:
        raise error
    return text
