from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Server

import drawbridge
from drawbridge import ApiError, AsyncDrawbridge, Drawbridge, models
from drawbridge._codes import CLASSES
from drawbridge._retry import retry_delay

KEY = "svc_" + "k" * 46
ID = "01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37"
AT = "2026-03-01T09:30:00.000Z"
WORKSPACE = {
    **{"id": ID, "orgId": ID, "name": "Acme", "slug": "acme", "suspendedAt": None},
    **{"createdAt": AT, "updatedAt": AT, "suspensionReason": None},
}
EXECUTED = {"success": True, "output": {"n": 1}, "duration": 3}


def refusal(code: str, status: int = 400, **details: Any) -> tuple[int, Any, dict[str, str]]:
    return status, {"error": "No.", "code": code, "details": details}, {}


def client(server: Server, **more: Any) -> Drawbridge:
    return Drawbridge(server.url, KEY, **more)


def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drawbridge._retry._FIRST_DELAY", 0.001)


def test_sends_the_key_and_names_itself(server: Server) -> None:
    server.replies = [(200, {"workspace": WORKSPACE, "unknown": 1}, {})]
    got = client(server, headers={"x-own": "1"}).workspaces.get(ID)
    assert got.workspace.org_id == ID and got.workspace.created_at.year == 2026
    assert got.model_dump(by_alias=True)["unknown"] == 1
    [request] = server.requests
    assert request["path"] == f"/api/v1/workspaces/{ID}"
    sent = {name: request["headers"][name] for name in ("authorization", "x-svc-source", "x-own")}
    assert sent == {"authorization": f"Bearer {KEY}", "x-svc-source": "sdk", "x-own": "1"}
    assert re.fullmatch(r"drawbridge-python/\d+\.\d+\.\d+", request["headers"]["user-agent"])


def test_sends_null_but_not_what_is_omitted(server: Server) -> None:
    server.replies = [(200, {"endUser": {}}, {})]
    with pytest.raises(drawbridge.ConnectionError):  # the answer is not one of the API
        client(server).end_users.update(ID, display_name=None)
    assert server.requests[0]["body"] == {"displayName": None}


def test_accepts_a_value_that_this_version_does_not_know(server: Server) -> None:
    server.replies = [(200, {"workspace": {**WORKSPACE, "suspensionReason": "weather"}}, {})]
    assert client(server).workspaces.get(ID).workspace.suspension_reason == "weather"


@pytest.mark.parametrize("one", ["", ".", "..", None, 7])
def test_refuses_an_id_that_would_reach_another_operation(server: Server, one: Any) -> None:
    with pytest.raises(TypeError, match="id must be an id"):
        client(server).workspaces.delete(one)
    assert server.requests == []


def test_escapes_an_id(server: Server) -> None:
    server.replies = [refusal("NOT_FOUND", 404)]
    with pytest.raises(drawbridge.NotFoundError):
        client(server).workspaces.get("../api-keys?a=b#c")
    assert server.requests[0]["path"] == "/api/v1/workspaces/..%2Fapi-keys%3Fa%3Db%23c"


@pytest.mark.parametrize("code", CLASSES)
def test_raises_each_code_as_its_class(server: Server, code: str) -> None:
    server.replies = [refusal(code, 418, reason="r")]
    with pytest.raises(CLASSES[code]) as raised:
        client(server, max_retries=0).organization.get()
    error = raised.value
    assert (type(error), error.code, error.status, str(error)) == (CLASSES[code], code, 418, "No.")
    assert error.details == {"reason": "r"} and error.headers["content-type"] == "application/json"


def test_has_a_class_for_every_documented_code() -> None:
    page = (Path(__file__).parents[3] / "docs/errors.md").read_text()
    assert set(CLASSES) == set(re.findall(r"^\| `([A-Z_]+)` \| [\d, ]+ \|", page, re.M))
    assert all(name.__name__ in drawbridge.__all__ for name in CLASSES.values())


def test_raises_the_base_class_for_the_answer_of_a_proxy(server: Server) -> None:
    server.replies = [(502, b"<h1>Bad gateway</h1>", {"content-type": "text/html"})]
    with pytest.raises(ApiError) as raised:
        client(server, max_retries=0).organization.get()
    assert type(raised.value) is ApiError
    assert (raised.value.code, str(raised.value)) == ("HTTP_502", "The server answered 502 <h1>Bad gateway</h1>")


def test_repeats_a_read_after_a_failure_of_the_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    server.replies = [refusal("INTERNAL", 500), refusal("TIMEOUT", 504), (200, {"workspace": WORKSPACE}, {})]
    client(server).workspaces.get(ID)
    assert len(server.requests) == 3


def test_repeats_an_execution_with_one_key_and_no_other_change(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    server.replies = [refusal("INTERNAL", 500), refusal("DUPLICATE", 409, reason="in_progress"), (200, EXECUTED, {})]
    result = client(server, workspace_id=ID).actions.run("github", "create_issue", {"repo": "a/b"})
    assert isinstance(result, models.ExecutedAction) and result.output == {"n": 1}
    keys = {request["body"]["idempotencyKey"] for request in server.requests}
    assert len(server.requests) == 3 and len(keys) == 1
    server.requests.clear()
    server.replies = [refusal("INTERNAL", 500)]
    with pytest.raises(drawbridge.InternalServerError):
        client(server).workspaces.create(name="Acme", slug="acme")
    assert len(server.requests) == 1


def test_repeats_what_was_refused_before_anything_happened(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    server.replies = [(429, {"error": "Slow.", "code": "RATE_LIMITED"}, {"retry-after": "0"}), (201, {"workspace": WORKSPACE}, {})]
    client(server).workspaces.create(name="Acme", slug="acme")
    assert len(server.requests) == 2


def error_of(code: str, status: int, headers: dict[str, str] | None = None, **details: Any) -> ApiError:
    return ApiError("No.", code=code, status=status, details=details, headers=headers or {})


def test_waits_as_long_as_the_server_asks_up_to_a_minute() -> None:
    def delay(value: str) -> float | None:
        return retry_delay(error_of("RATE_LIMITED", 429, {"retry-after": value}), number=0, is_repeatable=False)

    assert delay("7") == 7 and delay("61") is None
    assert delay("Thu, 01 Jan 1970 00:00:00 GMT") == 0
    for unreadable in ("", "soon", "-1", "1e9", "Thu, 99 Jan 1970"):
        assert (delay(unreadable) or 99) <= 0.5


def test_never_repeats_an_unknown_outcome_without_a_key() -> None:
    unknown = error_of("UNAVAILABLE", 503, reason="outcome_unknown")
    assert retry_delay(unknown, number=0, is_repeatable=False) is None
    assert retry_delay(unknown, number=0, is_repeatable=True) is not None
    assert retry_delay(error_of("DUPLICATE", 409, reason="in_progress"), number=0, is_repeatable=True) is None
    assert (retry_delay(error_of("INTERNAL", 500), number=30, is_repeatable=True) or 99) <= 8


def test_reports_a_refused_connection_and_a_slow_server(server: Server) -> None:
    with pytest.raises(drawbridge.ConnectionError, match="GET /api/v1/organization failed"):
        Drawbridge("http://127.0.0.1:1", KEY, max_retries=0).organization.get()
    server.replies = [lambda _: (__import__("time").sleep(0.5), refusal("INTERNAL"))[1]]
    with pytest.raises(drawbridge.RequestTimeoutError):
        client(server, timeout=0.05, max_retries=0).organization.get()


def test_shows_the_key_nowhere(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.replies = [refusal("NOT_FOUND", 404)]
    one = client(server)
    with pytest.raises(ApiError) as raised:
        one.workspaces.get(ID)
    shown = [repr(one), repr(one.workspaces), repr(one._transport.settings), repr(raised.value), repr(raised.value.__dict__), caplog.text]
    assert all(KEY not in text for text in shown)


def test_needs_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRAWBRIDGE_URL", raising=False)
    with pytest.raises(ValueError, match="got none"):
        Drawbridge()
    with pytest.raises(ValueError, match="got ftp://a"):
        Drawbridge("ftp://a")
    monkeypatch.setenv("DRAWBRIDGE_URL", "https://a.example/")
    assert repr(AsyncDrawbridge()) == "AsyncDrawbridge(base_url='https://a.example')"


def page_of(request: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
    offset = int(re.search(r"offset=(\d+)", request["path"] + "&offset=0")[1])  # type: ignore[index]
    rows = [{**WORKSPACE, "name": str(index)} for index in range(5)]
    return 200, {"workspaces": rows[offset : offset + 2], "total": 5}, {}


def test_goes_through_all_pages(server: Server) -> None:
    server.replies = [page_of]
    pages = client(server).workspaces.list(limit=2)
    assert pages.page.total == 5 and len(server.requests) == 1
    assert [one.name for one in pages] == ["0", "1", "2", "3", "4"]
    assert [one.name for one in client(server).workspaces.list(limit=2, offset=3)] == ["3", "4"]


def test_goes_through_all_pages_in_a_coroutine(server: Server) -> None:
    server.replies = [page_of]

    async def names() -> list[str]:
        async with AsyncDrawbridge(server.url, KEY) as one:
            return [workspace.name async for workspace in await one.workspaces.list(limit=2)]

    assert asyncio.run(names()) == ["0", "1", "2", "3", "4"]


def test_repeats_in_a_coroutine(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    fast(monkeypatch)
    server.replies = [refusal("UNAVAILABLE", 503), (200, EXECUTED, {})]

    async def run() -> Any:
        async with AsyncDrawbridge(server.url, KEY, workspace_id=ID) as one:
            return await one.actions.run("github", "create_issue")

    assert asyncio.run(run()).success
    assert len(server.requests) == 2


@pytest.mark.parametrize("key", ["svc_secret\nsvc_other", "svc_secret other", "svc_secretä"])
def test_repeats_no_key_that_a_header_cannot_contain(key: str) -> None:
    with pytest.raises(ValueError) as raised:
        Drawbridge("https://a.example", key)
    assert "secret" not in str(raised.value) and raised.value.__cause__ is None


def test_follows_no_redirect(server: Server) -> None:
    server.replies = [(302, {}, {"location": "/elsewhere"})]
    with pytest.raises(ApiError, match="302"):
        client(server).workspaces.create(name="Acme", slug="acme")
    assert len(server.requests) == 1


EVENTS = 'id: 1\nevent: a\ndata: {"text":"one\u2028two"}\n\n: ping\n\ndata: 2\r\n\r\ndata: 3'


def test_reads_a_stream(server: Server) -> None:
    server.replies = [(200, EVENTS.encode(), {"content-type": "text/event-stream"})]
    events = list(client(server).executions.stream_events(ID))
    assert [(event.id, event.event, event.data) for event in events] == [("1", "a", {"text": "one\u2028two"}), ("1", "message", 2)]

    async def read() -> list[Any]:
        async with AsyncDrawbridge(server.url, KEY) as one:
            return [event async for event in one.executions.stream_events(ID)]

    assert asyncio.run(read()) == events
    server.replies = [refusal("NOT_FOUND", 404)]
    with pytest.raises(drawbridge.NotFoundError):
        list(client(server).executions.stream_events(ID))
