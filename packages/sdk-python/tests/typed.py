"""Checked by mypy and pyright, not run."""

from __future__ import annotations

from agents import Agent, Tool
from langchain_core.tools import BaseTool
from typing_extensions import assert_type

from drawbridge import AsyncDrawbridge, Drawbridge, Pages, langchain, models, openai_agents
from drawbridge.built_in_catalog import GithubCreateIssue, typed


def sync_types(client: Drawbridge) -> None:
    pages = client.end_users.list(workspace_id="w", limit=2)
    assert_type(pages, Pages[models.EndUserList, models.EndUser])
    for end_user in pages:
        assert_type(end_user.external_id, str)
    result = client.actions.run("github", "create_issue", {"title": "T"}, idempotency_key="k")
    assert_type(result, models.ExecutedAction | models.ApprovalRequired)
    client.workspaces.create(name="Acme")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    client.end_users.list(workspace_id=1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def async_types(client: AsyncDrawbridge) -> None:
    assert_type((await client.workspaces.get("w")).workspace, models.Workspace)
    async for event in client.executions.stream_events("e"):
        assert_type(event.event, str)


def catalog_types(plain: Drawbridge) -> None:
    """Only one method, because the built-in catalog is large: tests/test_catalog.py checks all with a small one."""
    client = typed(plain)
    issue: GithubCreateIssue = {"repo": "acme/app", "title": "T", "labels": ["bug"]}
    assert_type(client.actions.run("github", "create_issue", issue), models.ExecutedAction | models.ApprovalRequired)
    assert_type(client.workspaces.get("w").workspace, models.Workspace)


def agent_tools_types(client: Drawbridge) -> None:
    assert_type(langchain.tools(client, ["github.create_issue"], workspace_id="w", on_approval="wait"), list[BaseTool])
    Agent(name="Support", tools=openai_agents.tools(client, ["slack.*"], end_user_id="user-42", on_approval_required=lambda it: print(it.id)))
    langchain.tools(client, ["slack.*"], on_approval="never")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    langchain.tools(client, ["slack.*"], idempotency_key="k")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


async def async_agent_tools_types(client: AsyncDrawbridge) -> None:
    async def notify(approval: models.RequiredApproval) -> None:
        print(approval.hosted_approval_url)

    assert_type(await langchain.async_tools(client, ["slack.*"], on_approval_required=notify), list[BaseTool])
    assert_type(await openai_agents.async_tools(client, ["slack.*"], poll_seconds=0.1), list[Tool])
