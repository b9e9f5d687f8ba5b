from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Reply = tuple[int, Any, dict[str, str]] | None
"""The status, body and headers of a response; None closes the connection without one."""


@dataclass
class Server:
    """An API that answers as a test says."""

    url: str
    replies: list[Reply | Callable[[dict[str, Any]], Reply]] = field(default_factory=list)
    """One for each request; the last one is for all further requests."""
    requests: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            length = int(self.headers.get("content-length", 0))
            text = self.rfile.read(length)
            headers = {key.lower(): value for key, value in self.headers.items()}
            request = {"method": self.command, "path": self.path, "headers": headers, "body": json.loads(text) if text else None}
            state.requests.append(request)
            reply = state.replies.pop(0) if len(state.replies) > 1 else state.replies[0]
            answer = reply(request) if callable(reply) else reply
            if answer is None:
                self.close_connection = True
                return
            status, body, more = answer
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in {"content-type": "application/json", "content-length": str(len(content)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_DELETE = answer

        def log_message(self, *_: object) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = Server(url=f"http://127.0.0.1:{listener.server_port}")
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield state
    listener.shutdown()
    listener.server_close()
