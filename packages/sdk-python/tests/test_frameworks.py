"""The handlers of webhooks, in the real frameworks and over a socket."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Protocol

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from flask import Flask
from starlette.applications import Starlette
from starlette.routing import Route
from test_webhooks import BODY, OWN_SECRET, SECRET, own, standard
from werkzeug.serving import make_server

from drawbridge.fastapi import webhook_handler
from drawbridge.flask import webhook_view

MIB = 1_048_576
Events = list[dict[str, Any]]
OnEvent = Callable[[dict[str, Any]], Any]
Stop = Callable[[], None]


class Start(Protocol):
    def __call__(self, on_event: OnEvent, **options: Any) -> tuple[str, Stop]: ...


received: list[int] = []
"""The sizes of the parts of bodies that the applications have read. Servers discard what an application does not read."""


ended: list[None] = []
failures: list[Exception] = []
"""`ended` has an item for each request that an ASGI application ended, and `failures` the errors that it raised, which uvicorn only logs."""


def counting(app: Any) -> Any:
    async def counted(scope: Any, receive: Any, send: Any) -> None:
        async def count() -> Any:
            message = await receive()
            received.append(len(message.get("body", b"")))
            return message

        try:
            await app(scope, count, send)
        except Exception as error:
            failures.append(error)
            raise
        finally:
            ended.append(None)

    return counted


class CountedInput:
    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def read(self, size: int = -1) -> bytes:
        data: bytes = self.stream.read(size)
        received.append(len(data))
        return data

    def readinto(self, buffer: Any) -> int:
        size: int = self.stream.readinto(buffer)
        received.append(size)
        return size


def counting_wsgi(app: Any) -> Any:
    return lambda environ, start: app({**environ, "wsgi.input": CountedInput(environ["wsgi.input"])}, start)


def serve_asgi(app: Any) -> tuple[str, Stop]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(counting(app), log_level="critical"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])), daemon=True)
    thread.start()

    def stop() -> None:
        server.should_exit = True
        thread.join()

    return f"http://127.0.0.1:{listener.getsockname()[1]}/events", stop


def start_fastapi(on_event: OnEvent, **options: Any) -> tuple[str, Stop]:
    app = FastAPI()
    app.add_api_route("/events", webhook_handler(options.pop("secret", SECRET), on_event, **options), methods=["POST"])
    return serve_asgi(app)


def start_starlette(on_event: OnEvent, **options: Any) -> tuple[str, Stop]:
    handler = webhook_handler(options.pop("secret", SECRET), on_event, **options)
    return serve_asgi(Starlette(routes=[Route("/events", handler, methods=["POST"])]))


def start_flask(on_event: OnEvent, **options: Any) -> tuple[str, Stop]:
    app = Flask(__name__)
    app.post("/events")(webhook_view(options.pop("secret", SECRET), on_event, **options))
    app.wsgi_app = counting_wsgi(app.wsgi_app)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    def stop() -> None:
        server.shutdown()
        thread.join()
        server.server_close()

    return f"http://127.0.0.1:{server.server_port}/events", stop


@pytest.fixture(params=[start_fastapi, start_starlette, start_flask], ids=["fastapi", "starlette", "flask"])
def start(request: pytest.FixtureRequest) -> Iterator[Start]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    stops: list[Stop] = []

    def started(on_event: OnEvent, **options: Any) -> tuple[str, Stop]:
        url, stop = request.param(on_event, **options)
        stops.append(stop)
        return url, stop

    yield started
    for stop in stops:
        stop()


def post(url: str, body: bytes = BODY, headers: dict[str, str] | None = None) -> int:
    return httpx.post(url, content=body, headers=standard(body) if headers is None else headers).status_code


def test_passes_on_what_is_signed_and_refuses_the_rest(start: Start) -> None:
    events: Events = []
    url, _ = start(events.append)
    json = {"content-type": "application/json"}
    assert [post(url), post(url, headers={**standard(), **json})] == [204, 204]
    refused = [
        post(url, BODY + b" ", standard()),
        post(url, headers={}),
        post(url, headers=standard(key=b"o" * 24)),
        post(url, headers=standard(at=time.time() - 400)),
        httpx.get(url).status_code,
    ]
    assert refused == [401, 401, 401, 401, 405]
    assert [event["payload"] for event in events] == [{"order": 1347}] * 2
    old, _ = start(events.append, tolerance_seconds=1_000, secret=[SECRET, OWN_SECRET])
    assert [post(old, headers=standard(at=time.time() - 400)), post(old, headers=own())] == [204, 204]


def test_answers_500_to_an_event_that_cannot_be_handled_and_then_accepts_it(start: Start) -> None:
    events: Events = []

    def handle(event: dict[str, Any]) -> None:
        events.append(event)
        if len(events) == 1:
            raise RuntimeError("The database is away")

    url, _ = start(handle)
    assert [post(url), post(url)] == [500, 204]


def signed(size: int) -> bytes:
    return b'{"a":"' + b"a" * (size - 8) + b'"}'


def test_reads_at_most_16_mib(start: Start) -> None:
    events: Events = []
    url, _ = start(events.append)
    assert post(url, signed(16 * MIB)) == 204
    assert status_of(url, [signed(16 * MIB + 1)]) == 413
    assert len(events) == 1


def test_reads_at_most_max_body_bytes(start: Start) -> None:
    events: Events = []
    size = len(BODY)
    exact, _ = start(events.append, max_body_bytes=size)
    less, _ = start(events.append, max_body_bytes=size - 1)
    assert [post(exact), post(less)] == [204, 413]
    assert len(events) == 1


def test_stops_reading_an_endless_body(start: Start) -> None:
    url, _ = start(lambda _: None, max_body_bytes=MIB)
    received.clear()
    assert status_of(url, (b"a" * 65_536 for _ in range(1_000))) in (None, 413)
    assert MIB < sum(received) < 2 * MIB


def status_of(url: str, chunks: Any) -> int | None:
    """Returns the status of the response. Returns None if the server closed the connection before the body was sent, which HTTP allows."""
    try:
        content = chunks[0] if isinstance(chunks, list) else chunks
        return httpx.post(url, content=content, headers=standard(b"")).status_code
    except httpx.TransportError:
        return None


def test_survives_a_client_that_hangs_up_while_it_sends(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    events: Events = []
    url, _ = start(events.append)
    ended.clear()
    failures.clear()
    with socket.create_connection(("127.0.0.1", httpx.URL(url).port or 0)) as client:
        client.sendall(b"POST /events HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{")
    assert post(url) == 204
    deadline = time.monotonic() + 20
    while len(ended) == 1 and time.monotonic() < deadline:  # flask ends none
        time.sleep(0.01)
    assert len(ended) in (0, 2) and failures == []
    assert len(events) == 1 and "Traceback" not in caplog.text


@pytest.mark.parametrize("is_coroutine", [True, False])
def test_fastapi_handles_other_requests_while_it_handles_an_event(is_coroutine: bool) -> None:
    both = threading.Barrier(2)
    together = asyncio.Event()
    arrived: list[None] = []
    handled: list[None] = []

    def handle(_: dict[str, Any]) -> None:
        both.wait(timeout=20)
        handled.append(None)

    async def handle_in_coroutine(_: dict[str, Any]) -> None:
        arrived.append(None)
        if len(arrived) == 2:
            together.set()
        await asyncio.wait_for(together.wait(), 20)
        handled.append(None)

    on_event: Callable[[dict[str, Any]], Awaitable[None] | None] = handle_in_coroutine if is_coroutine else handle
    url, stop = start_fastapi(on_event)
    try:
        assert asyncio.run(post_both(url)) == [204, 204]
        assert len(handled) == 2
    finally:
        stop()


async def post_both(url: str) -> list[int]:
    async with httpx.AsyncClient(timeout=30) as client:
        sent = [client.post(url, content=BODY, headers=standard()) for _ in range(2)]
        return [response.status_code for response in await asyncio.gather(*sent)]
