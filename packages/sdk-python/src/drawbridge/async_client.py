"""The asynchronous client."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx
from typing_extensions import Self, Unpack

from . import models
from ._call_fields import CallFields, required_workspace
from ._request import RequestOptions
from ._resources import (
    AsyncActions,
    AsyncApiKeys,
    AsyncApprovalPolicies,
    AsyncApprovals,
    AsyncAuditLog,
    AsyncConnect,
    AsyncConnections,
    AsyncEndUsers,
    AsyncExecutions,
    AsyncIntegrations,
    AsyncMcpServers,
    AsyncMembers,
    AsyncOauthApps,
    AsyncOrganization,
    AsyncPartials,
    AsyncPieces,
    AsyncTriggers,
    AsyncWorkspaceIntegrations,
    AsyncWorkspaces,
)
from ._transport import AsyncTransport, Settings
from .approvals import POLL_SECONDS, is_approved, next_delay
from .code_mode import WAIT_SECONDS, CodeValue, to_value


class AsyncWorkspaceActions(AsyncActions):
    """The actions of the workspace of the client, or of the one that a call names."""

    def __init__(self, transport: AsyncTransport, workspace_id: str | None) -> None:
        super().__init__(transport)
        self._workspace_id = workspace_id

    async def run(
        self,
        integration: str,
        action: str,
        input: Mapping[str, Any] | None = None,
        *,
        workspace_id: str | None = None,
        options: RequestOptions | None = None,
        **fields: Unpack[CallFields],
    ) -> models.ExecutedAction | models.ApprovalRequired:
        """Executes an action, in the workspace of the client unless the call names one.

        Without an idempotency key the SDK generates one, so that a retry never runs the action twice. If an approval policy matches, the action did
        not run and the result is an `ApprovalRequired`: see `execute_with_approval`. Raises ActionFailedError if the action fails, another ApiError
        if the API refuses the call, and ValueError without a workspace.
        """
        keyed = CallFields(idempotency_key=str(uuid.uuid4()))
        keyed.update(fields)
        return await self.execute(
            integration_name=integration,
            action_name=action,
            input=dict(input or {}),
            workspace_id=required_workspace(workspace_id or self._workspace_id),
            options=options,
            **keyed,
        )


class AsyncDrawbridgeBase:
    """The resources of a client except its actions, for which a module that `drawbridge-generate` wrote declares its own types."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.connect = AsyncConnect(transport)
        self.connections = AsyncConnections(transport)
        self.integrations = AsyncIntegrations(transport)
        self.workspace_integrations = AsyncWorkspaceIntegrations(transport)
        self.end_users = AsyncEndUsers(transport)
        self.triggers = AsyncTriggers(transport)
        self.mcp_servers = AsyncMcpServers(transport)
        self.approval_policies = AsyncApprovalPolicies(transport)
        self.approvals = AsyncApprovals(transport)
        self.executions = AsyncExecutions(transport)
        self.partials = AsyncPartials(transport)
        self.workspaces = AsyncWorkspaces(transport)
        self.organization = AsyncOrganization(transport)
        self.members = AsyncMembers(transport)
        self.api_keys = AsyncApiKeys(transport)
        self.oauth_apps = AsyncOauthApps(transport)
        self.audit_log = AsyncAuditLog(transport)
        self.pieces = AsyncPieces(transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._transport.settings.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections of the client."""
        await self._transport.client.aclose()

    async def wait_for_approval(
        self, approval_id: str, *, poll_seconds: float = POLL_SECONDS, timeout_seconds: float | None = None
    ) -> models.ShownApproval:
        """Waits until an approval is decided, and returns it if it was approved.

        Raises ApprovalDeclinedError if it was rejected, canceled or expired. Raises TimeoutError if the next request would be sent later than
        `timeout_seconds`; without this limit it waits until the approval expires.

        :param poll_seconds: The first pause between two requests for the decision. Pauses grow to ten times that.
        """
        until = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        delay = poll_seconds
        while True:
            approval = (await self.approvals.get(approval_id)).approval
            if is_approved(approval):
                return approval
            if until is not None and time.monotonic() + delay > until:
                raise TimeoutError(f"Approval {approval_id} was not decided within {timeout_seconds} s")
            await asyncio.sleep(delay)
            delay = next_delay(delay, poll_seconds)

    async def run_code(
        self,
        server_id: str,
        code: str,
        *,
        on_approval_required: Callable[[models.CodeApproval], Awaitable[None] | None] | None = None,
    ) -> CodeValue:
        """Runs a program on an MCP server of mode CODE, waits for the approvals that it needs, and returns its value.

        Raises CodeRunError if the program fails or an approval is declined.

        :param on_approval_required: Receives each approval that the program needs, for example to display its `hosted_approval_url` to a person.
        """
        shown: str | None = None
        result = await self.mcp_servers.execute_code(server_id, code=code)
        while True:
            about = result.structured_content
            if about is None or about.continuation is None:
                return to_value(result)
            if about.approval and about.approval.id != shown:
                shown = about.approval.id
                if on_approval_required is not None:
                    notified = on_approval_required(about.approval)
                    if notified is not None:
                        await notified
            approval_id = about.continuation.arguments.approval_id
            result = await self.mcp_servers.execute_code(server_id, approval_id=approval_id, wait_for_approval_seconds=WAIT_SECONDS)


class AsyncDrawbridge(AsyncDrawbridgeBase):
    """A client of one Drawbridge instance, for coroutines. Its resources and methods are those of the API reference.

    :param base_url: The address of the instance, such as `https://drawbridge.example.com`. Defaults to the variable DRAWBRIDGE_URL.
    :param api_key: The API key, `svc_…`. Defaults to the variable DRAWBRIDGE_KEY. A client without a key can call only public operations.
    :param workspace_id: The workspace of `actions.run` and `execute_with_approval`, unless the call names one.
    :param timeout: The longest time, in seconds, to connect, and to wait for each part of the response. Defaults to 60, and to 360 for requests that
        wait for a provider or a program.
    :param max_retries: The number of retries of a request after a temporary failure, such as a rate limit. Defaults to 3.
    :param headers: Additional headers of every request.
    :param http_client: Sends the requests, for example through a proxy. `aclose` closes it.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        workspace_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        transport = AsyncTransport(Settings.of(base_url, api_key, timeout, max_retries, headers), http_client)
        super().__init__(transport)
        self.actions = AsyncWorkspaceActions(transport, workspace_id)

    async def execute_with_approval(
        self,
        integration: str,
        action: str,
        input: Mapping[str, Any] | None = None,
        *,
        workspace_id: str | None = None,
        on_approval_required: Callable[[models.RequiredApproval], Awaitable[None] | None] | None = None,
        poll_seconds: float = POLL_SECONDS,
        timeout_seconds: float | None = None,
        **fields: Unpack[CallFields],
    ) -> models.ExecutedAction:
        """Executes an action and, if policies require it, waits for the approval and sends the same call again.

        Raises ApprovalDeclinedError if it is declined, TimeoutError if it is not decided within `timeout_seconds`, and the errors of `actions.run`.
        After a restart of your program, repeat the call with the same idempotency key.

        :param on_approval_required: Receives each approval that the call needs, for example to display its `hosted_approval_url` to a person.
        :param poll_seconds: The first pause between two requests for the decision. Pauses grow to ten times that.
        :param timeout_seconds: The longest wait for one approval. Without it, the method waits until the approval expires.
        """
        given = fields.copy()
        while True:
            result = await self.actions.run(integration, action, input, workspace_id=workspace_id, **given)
            if isinstance(result, models.ExecutedAction):
                return result
            # If a partial or the connection changed since the approval, the repeated call needs another approval.
            if on_approval_required is not None:
                notified = on_approval_required(result.approval)
                if notified is not None:
                    await notified
            await self.wait_for_approval(result.approval.id, poll_seconds=poll_seconds, timeout_seconds=timeout_seconds)
            given = fields.copy()
            given["idempotency_key"] = result.approval.retry.idempotency_key
