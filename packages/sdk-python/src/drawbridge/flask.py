"""Webhooks for Flask: `pip install drawbridge[flask]`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flask import request

from .webhooks import MAX_BODY_BYTES, TOLERANCE_SECONDS, WebhookVerificationError, verify_webhook


def webhook_view(
    secret: str | Sequence[str],
    on_event: Callable[[dict[str, Any]], None],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    max_body_bytes: int = MAX_BODY_BYTES,
) -> Callable[[], tuple[str, int]]:
    """Returns a view: `app.post("/events")(webhook_view(secret, on_event))`.

    It responds 204 after `on_event` returned, 401 to a request that is not from Drawbridge or too old, and 413 to a body that is too large. If
    `on_event` raises an error, Flask responds 500, and Drawbridge sends the event again.

    :param secret: The `signing_secret` of the trigger, or the webhook secret of the organization. During a rotation, a list of both secrets.
    :param on_event: Handles an event. Events arrive at least once.
    :param tolerance_seconds: The largest accepted difference between the timestamp of the request and the clock of this machine. Defaults to 300.
    :param max_body_bytes: The largest body that is read. Choose less than the default of 16 MiB if your providers send small events.
    """

    def webhook() -> tuple[str, int]:
        # Flask rejects a larger Content-Length, but truncates a body without one. One more byte shows that a body was too large.
        request.max_content_length = max_body_bytes + 1
        body = request.get_data()
        if len(body) > max_body_bytes:
            return "", 413
        try:
            event = verify_webhook(body, dict(request.headers), secret, tolerance_seconds=tolerance_seconds)
        except WebhookVerificationError:
            return "", 401
        on_event(event)
        return "", 204

    return webhook
