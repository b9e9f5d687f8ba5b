"""Webhooks for FastAPI and Starlette: `pip install drawbridge[fastapi]`."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from .webhooks import MAX_BODY_BYTES, TOLERANCE_SECONDS, WebhookVerificationError, verify_webhook


def webhook_handler(
    secret: str | Sequence[str],
    on_event: Callable[[dict[str, Any]], Awaitable[None] | None],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    max_body_bytes: int = MAX_BODY_BYTES,
) -> Callable[[Request], Awaitable[Response]]:
    """Returns an endpoint: `app.add_api_route("/events", webhook_handler(secret, on_event), methods=["POST"])`.

    It responds 204 after `on_event` returned, 401 to a request that is not from Drawbridge or too old, and 413 to a body that is too large. If
    `on_event` raises an error, the framework responds 500, and Drawbridge sends the event again.

    :param secret: The `signing_secret` of the trigger, or the webhook secret of the organization. During a rotation, a list of both secrets.
    :param on_event: Handles an event: a coroutine function, or a function, which runs in a thread. Events arrive at least once.
    :param tolerance_seconds: The largest accepted difference between the timestamp of the request and the clock of this machine. Defaults to 300.
    :param max_body_bytes: The largest body that is read. Choose less than the default of 16 MiB if your providers send small events.
    """

    async def endpoint(request: Request) -> Response:
        try:
            body = await _read(request, max_body_bytes)
        except ClientDisconnect:
            return Response(status_code=400)
        if body is None:
            return Response(status_code=413)
        try:
            event = verify_webhook(body, request.headers, secret, tolerance_seconds=tolerance_seconds)
        except WebhookVerificationError:
            return Response(status_code=401)
        handled = await run_in_threadpool(on_event, event)
        if inspect.isawaitable(handled):
            await handled
        return Response(status_code=204)

    return endpoint


async def _read(request: Request, most: int) -> bytes | None:
    """Returns None if the body is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)
