"""The tools of agents without a framework. e2e/sdk-python-agents.test.ts runs them in the real ones."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import Reply, Server
from test_client import AT, EXECUTED, KEY, client, refusal

from drawbridge import ApiError, AsyncDrawbridge, models
from drawbridge._agent_tools import agent_tools, async_agent_tools

FIXTURES = Path(__file__).parents[2] / "sdk-typescript/src/testing"
ERRORS = json.loads((FIXTURES / "tool-texts.json").read_text("utf-8"))
"""The errors of the API, and the text of each for a model; None for one that is raised. The tests of the TypeScript SDK read them too."""
NAMES = json.loads((FIXTURES / "tool-names.json").read_text("utf-8"))
"""The actions of an instance and the names of their tools. The tests of the TypeScript SDK read them too: both must give a tool the same name."""


def catalog(actions: dict[str, list[str]]) -> Reply:
    about = {"description": "", "logoUrl": "", "categories": [], "auth": None, "triggers": {}}
    described = {"displayName": "D", "description": "", "props": {}}
    integrations = [
        {"name": name, "displayName": name.upper(), **about, "actions": {one: {"name": one, **described} for one in names}}
        for name, names in actions.items()
    ]
    return 200, {"integrations": integrations, "total": len(integrations), "registered": []}, {}


def approval(key: str, hosted: str | None = None, url: str | None = "http://a") -> Reply:
    links = {"approvalUrl": url, "hostedApprovalUrl": hosted, "expiresAt": AT}
    asked = {"id": "apr_1", "status": "pending", **links, "retry": {"idempotencyKey": key}}
    return 202, {"success": False, "status": "approval_required", "approval": asked}, {}


DONE: Reply = (200, EXECUTED, {})
CATALOG = catalog(NAMES["actions"])
FIELD_ERROR = {"input.a": {"message": "is wrong"}}

Call = Callable[..., Any]
MakeCall = Callable[..., Call]


def blocking(server: Server, **options: Any) -> Call:
    server.replies = [CATALOG]
    [tool] = agent_tools(client(server, workspace_id="w", max_retries=0), ["a-b-c.d"], options)
    server.requests.clear()
    return tool.call


def awaiting(server: Server, **options: Any) -> Call:
    """Calls with a new event loop each time, and so with a new connection."""
    server.replies = [CATALOG]
    limits = httpx.Limits(max_keepalive_connections=0)
    one = AsyncDrawbridge(server.url, KEY, workspace_id="w", max_retries=0, http_client=httpx.AsyncClient(limits=limits))
    [tool] = asyncio.run(async_agent_tools(one, ["a-b-c.d"], options))
    server.requests.clear()
    return lambda input: asyncio.run(tool.call(input))


@pytest.fixture(params=[blocking, awaiting], ids=["blocking", "in coroutines"])
def make(request: pytest.FixtureRequest) -> MakeCall:
    made: MakeCall = request.param
    return made


@pytest.fixture
def call(make: MakeCall, server: Server) -> Call:
    return make(server)


@pytest.mark.parametrize("row", ERRORS, ids=lambda row: f"{row['code']} {[*row['details']]}")
def test_gives_an_error_to_the_model_or_to_the_program(server: Server, call: Call, row: dict[str, Any]) -> None:
    server.replies = [(row["status"], {"error": "No", "code": row["code"], "details": row["details"]}, {})]
    try:
        result: object = call({})
    except ApiError as error:
        result = {"raised": error.code}
    assert result == (row["text"] or {"raised": row["code"]})


@pytest.mark.parametrize(
    ("hosted", "url", "asks"),
    [
        ("http://h", "http://a", "Ask the user to decide at http://h before"),
        (None, "http://a", "Ask the user to decide at http://a before"),
        (None, None, "Ask the user to decide before"),
    ],
)
def test_names_an_approval_and_reports_it_to_the_program(server: Server, make: MakeCall, hosted: str | None, url: str | None, asks: str) -> None:
    notified: list[str] = []
    call = make(server, on_approval_required=lambda one: notified.append(one.id))
    server.replies = [approval("k-1", hosted, url)]
    assert call({}) == (
        f"A person must approve this first. a_b_c_d did not run. {asks} 2026-03-01T09:30:00+00:00. "
        "After the approval, call a_b_c_d again with exactly the same arguments."
    )
    assert notified == ["apr_1"]


def test_waits_for_a_coroutine_that_receives_an_approval(server: Server) -> None:
    notified: list[str] = []

    async def notify(one: models.RequiredApproval) -> None:
        await asyncio.sleep(0)
        notified.append(one.id)

    call = awaiting(server, on_approval_required=notify)
    server.replies = [approval("k-1")]
    call({})
    assert notified == ["apr_1"]


@pytest.mark.parametrize("on_approval", ["return", "wait"])
def test_sends_the_selectors_of_its_options(server: Server, make: MakeCall, on_approval: str) -> None:
    selectors = {"workspace_id": "own", "connection_external_id": "c", "workspace_integration_id": "i"}
    selectors |= {"integration_alias": "l", "end_user_id": "e", "partial_ids": ["p"]}
    call = make(server, on_approval=on_approval, poll_seconds=0.01, **selectors)
    server.replies = [DONE]
    assert call({"n": 1}) == EXECUTED["output"]
    [request] = server.requests
    names = {"connectionExternalId": "c", "workspaceIntegrationId": "i", "integrationAlias": "l", "endUserId": "e", "partialIds": ["p"]}
    sent = {**names, "workspaceId": "own", "integrationName": "a-b-c", "actionName": "d", "input": {"n": 1}}
    assert {key: value for key, value in request["body"].items() if key != "idempotencyKey"} == sent
    assert request["body"]["idempotencyKey"]


def shown(status: str) -> Reply:
    texts = dict.fromkeys(["orgId", "source", "integrationName", "actionName", "inputHash", "approvalAccessMode"], "a")
    nothing = ["policyId", "workspaceId", "endUserId", "integrationAlias", "workspaceIntegrationId", "mcpServerId", "approvalUrl"]
    nothing += ["hostedApprovalUrl", "idempotencyKey", "decidedAt", "decidedBy", "consumedAt", "codeRunId", "codeRunType"]
    lists = {name: [] for name in ("redactedPaths", "riskReasons", "truncatedFields", "webhookDeliveries")}
    times = dict.fromkeys(["expiresAt", "createdAt", "updatedAt"], AT)
    about = {"id": "apr_1", "status": status, "decisionReason": "Why", "inputPreview": {}, "omittedFields": 0}
    return 200, {"approval": {**about, **texts, **dict.fromkeys(nothing), **lists, **times}}, {}


@pytest.mark.parametrize("status", ["approved", "rejected"])
def test_waits_until_its_approval_is_decided(server: Server, make: MakeCall, status: str) -> None:
    notified: list[str] = []
    call = make(server, on_approval="wait", poll_seconds=0.01, on_approval_required=lambda one: notified.append(one.id))
    server.replies = [approval("k-1"), shown("pending"), shown(status), DONE]
    text = "a_b_c_d did not run. Approval apr_1 is rejected: Why. Do not call it again unless the user asks for it."
    assert call({}) == (EXECUTED["output"] if status == "approved" else text)
    assert notified == ["apr_1"]
    assert [request["body"]["idempotencyKey"] for request in server.requests[3:]] == (["k-1"] if status == "approved" else [])


def keys_of(server: Server, call: Call, *replies: Reply) -> list[str]:
    """Calls the tool once for each reply. Returns the key of each request."""
    server.replies = [*replies]
    for _ in replies:
        with contextlib.suppress(Exception):
            call({"n": 1})
    return [request["body"]["idempotencyKey"] for request in server.requests]


@pytest.mark.parametrize(
    "reply",
    [
        None,
        refusal("TIMEOUT", 504),
        refusal("INTERNAL", 500, reason="outcome_unknown"),
        refusal("UNAVAILABLE", 503),
        refusal("RATE_LIMITED", 429),
        refusal("DUPLICATE", 409, reason="in_progress"),
        refusal("UNAUTHENTICATED", 401),
        refusal("FORBIDDEN", 403, policyId="p"),
        refusal("FORBIDDEN", 403),
        (502, b"<h1>Bad gateway</h1>", {}),
    ],
    ids=lambda reply: str(reply and reply[0]),
)
def test_keeps_the_key_of_an_approved_call_until_its_outcome_is_known(server: Server, call: Call, reply: Reply) -> None:
    _, second, third, fourth = keys_of(server, call, approval("k-1"), reply, DONE, DONE)
    assert [second, third] == ["k-1", "k-1"] and fourth != "k-1"


@pytest.mark.parametrize(
    "reply",
    [
        refusal("ACTION_FAILED", retryable=True),
        refusal("VALIDATION_ERROR", fields=FIELD_ERROR),
        refusal("FORBIDDEN", 403, reason="used"),
        refusal("FORBIDDEN", 403, reason="expired"),
    ],
    ids=["ACTION_FAILED", "VALIDATION_ERROR", "used", "expired"],
)
def test_uses_no_key_again_after_a_final_response(server: Server, call: Call, reply: Reply) -> None:
    _, second, third = keys_of(server, call, approval("k-1"), reply, DONE)
    assert second == "k-1" and third != "k-1"


def test_replaces_the_key_with_that_of_a_new_approval(server: Server, call: Call) -> None:
    assert keys_of(server, call, approval("k-1"), approval("k-2"), DONE)[1:] == ["k-1", "k-2"]


def test_keeps_the_keys_of_the_last_100_open_approvals(server: Server, call: Call) -> None:
    server.replies = [*(approval(f"k-{at}") for at in range(101)), DONE]
    for at in range(101):
        call({"n": at})
    for at in (0, 1, 100):
        call({"n": at})
    evicted, oldest, newest = [request["body"]["idempotencyKey"] for request in server.requests[-3:]]
    assert [oldest, newest] == ["k-1", "k-100"] and evicted != "k-0"


def test_knows_the_same_input_in_any_order_of_its_keys(server: Server, call: Call) -> None:
    server.replies = [approval("k-1"), approval("k-2"), DONE]
    input = {"a": [{"x": 1, "y": 2}], "b": None}
    for one in (input, {**input, "c": 1}, {"b": None, "a": [{"y": 2, "x": 1}]}, {"c": 1, **input}):
        call(one)
    _, second, third, fourth = [request["body"]["idempotencyKey"] for request in server.requests]
    assert second != "k-1" and [third, fourth] == ["k-1", "k-2"]


def test_keeps_a_key_longer_if_its_approval_is_renewed(server: Server, call: Call) -> None:
    server.replies = [*(approval(f"k-{at}") for at in range(102)), DONE]
    for at in (*range(100), 0, 100, 0):
        call({"n": at})
    assert server.requests[-1]["body"]["idempotencyKey"] == "k-100"


def test_gives_a_key_to_one_of_two_equal_calls_at_once(server: Server) -> None:
    call = blocking(server)
    both = threading.Barrier(2)

    def wait(_: dict[str, Any]) -> Any:
        both.wait(timeout=20)
        return DONE

    server.replies = [approval("k-1"), wait]
    call({"n": 1})
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(call, [{"n": 1}] * 2))
    assert sum(request["body"]["idempotencyKey"] == "k-1" for request in server.requests) == 1


def test_keeps_the_key_when_the_call_is_canceled(server: Server) -> None:
    class HangsOnce(httpx.AsyncBaseTransport):
        def __init__(self) -> None:
            self.real, self.hangs = httpx.AsyncHTTPTransport(), False
            self.started = asyncio.Event()

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if not self.hangs:
                return await self.real.handle_async_request(request)
            self.hangs = False
            self.started.set()
            await asyncio.Event().wait()
            raise AssertionError

    async def run() -> None:
        transport = HangsOnce()
        one = AsyncDrawbridge(server.url, KEY, workspace_id="w", http_client=httpx.AsyncClient(transport=transport))
        [tool] = await async_agent_tools(one, ["a-b-c.d"], {})
        await tool.call({"n": 1})
        transport.hangs = True
        task = asyncio.ensure_future(tool.call({"n": 1}))
        await transport.started.wait()
        task.cancel()
        await asyncio.wait([task])
        await tool.call({"n": 1})

    server.replies = [CATALOG, approval("k-1"), DONE]
    asyncio.run(run())
    assert server.requests[-1]["body"]["idempotencyKey"] == "k-1"


def names_of(server: Server, patterns: list[str]) -> dict[str, str]:
    """Returns the name of each tool by the action that it runs."""
    server.replies = [CATALOG, DONE]
    tools = agent_tools(client(server, workspace_id="w"), patterns, {})
    server.requests.clear()
    for one in tools:
        one.call({})
    bodies = [request["body"] for request in server.requests]
    return {f"{body['integrationName']}.{body['actionName']}": one.name for one, body in zip(tools, bodies, strict=True)}


def test_gives_each_action_a_valid_name_of_its_own_in_any_order_of_the_patterns(server: Server) -> None:
    patterns = [f"{name}.*" for name in NAMES["actions"]]
    for given in (patterns, patterns[::-1], [*NAMES["names"]]):
        assert names_of(server, given) == NAMES["names"]
    assert [name for name in NAMES["names"].values() if not re.fullmatch(r"[a-zA-Z0-9_]{1,64}", name)] == []


def test_describes_an_action_that_has_no_description(server: Server) -> None:
    server.replies = [CATALOG]
    [tool] = agent_tools(client(server), ["a.b_c"], {})
    assert tool.description == "A: b_c"


@pytest.mark.parametrize("pattern", ["c.d", "a.none", "a", ".*", "__class__.*"])
def test_refuses_a_pattern_without_an_action(server: Server, pattern: str) -> None:
    server.replies = [CATALOG]
    with pytest.raises(ValueError, match=r"(?i)the instance has no (integration|action)"):
        agent_tools(client(server), [pattern], {})
