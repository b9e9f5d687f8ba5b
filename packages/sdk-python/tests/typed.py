"""Checked by mypy and pyright, not run."""

from __future__ import annotations

from typing_extensions import assert_type

from drawbridge import AsyncDrawbridge, Drawbridge, Pages, models
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
