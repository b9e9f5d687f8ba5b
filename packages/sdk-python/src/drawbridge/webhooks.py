"""Webhooks of approvals and callbacks of triggers: verification of their signatures."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from ._errors import DrawbridgeError

TOLERANCE_SECONDS = 300
_MAX_SIGNATURES = 10
"""Maximum number of signatures that are compared. Drawbridge sends two during a rotation of the secret; an attacker could send many."""
_HMAC_BYTES = 32
_SECRET_BYTES = 32
"""The length of the key of a secret. A shorter key is an error, because anyone could sign with the empty key of an unset variable."""

MAX_BODY_BYTES = 16 * 1_048_576
"""The default limit of the size of a body, because anyone can send a body: its signature can be verified only after it was read.

Drawbridge forwards events of up to 5 MiB with all their headers.
"""


class WebhookVerificationError(DrawbridgeError):
    """The request is not from Drawbridge, or too old. Answer it with 401."""


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
) -> dict[str, Any]:
    """Returns the event of a request with a valid signature. Raises WebhookVerificationError for any other request, and ValueError for a secret
    that is not valid.

    The signatures are those of Standard Webhooks (https://www.standardwebhooks.com) or, without them, of `X-Svc-Signature`.

    :param body: Exactly the bytes that arrived: parsed and serialized JSON has another signature. Flask: `request.get_data()`; FastAPI:
        `await request.body()`.
    :param headers: The headers of the request.
    :param secret: The `signing_secret` of the trigger, or the webhook secret of the organization. During a rotation, a list of both secrets.
    :param tolerance_seconds: The largest accepted difference between the timestamp of the request and the clock of this machine. Defaults to 300.
    """
    content = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    timestamp, signed, signatures, is_standard = _read(given, content)
    if not abs(time.time() - timestamp) <= tolerance_seconds:
        raise WebhookVerificationError("The timestamp of the webhook is too old or too new")
    for one in [secret] if isinstance(secret, str) else secret:
        key = _key(one, is_standard)
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        if any(hmac.compare_digest(expected, signature) for signature in signatures):
            return cast(dict[str, Any], json.loads(content))
    raise WebhookVerificationError("No signature of the webhook is valid for the secret")


def _read(headers: Mapping[str, str], content: bytes) -> tuple[float, bytes, list[bytes], bool]:
    standard = headers.get("webhook-signature", "")
    if standard:
        id_, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
        values = [one[3:] for one in standard.split(" ") if one.startswith("v1,")]
        return _number(timestamp), f"{id_}.{timestamp}.".encode() + content, _whole(map(_base64, values)), True
    parts = [part.strip().partition("=") for part in headers.get("x-svc-signature", "").split(",")]
    timestamp = next((value for name, _, value in parts if name == "t"), "")
    if not timestamp:
        raise WebhookVerificationError("The webhook has no signature")
    signatures = _whole(_hex(value) for name, _, value in parts if name == "v1")
    return _number(timestamp), f"{timestamp}.".encode() + content, signatures, False


def _whole(signatures: Iterable[bytes]) -> list[bytes]:
    """Returns the first signatures that have the length of one. The others do not count, so that a valid signature may follow many of them."""
    return list(islice((one for one in signatures if len(one) == _HMAC_BYTES), _MAX_SIGNATURES))


def _key(secret: str, is_standard: bool) -> bytes:
    key = _base64(secret.removeprefix("whsec_"))
    if len(key) != _SECRET_BYTES:
        raise ValueError("A webhook secret is whsec_ and base64: copy the signing_secret of the trigger, or the webhook secret")
    # The key of `X-Svc-Signature` is the text of the secret.
    return key if is_standard else secret.encode()


def _number(text: str) -> float:
    """Returns the timestamp. Returns minus infinity for text that is not a number, so that the request is rejected because it is too old."""
    return float(text) if text.isascii() and text.isdigit() and len(text) < 16 else float("-inf")


def _base64(text: str) -> bytes:
    """Returns no bytes for text that is not base64, because such a signature is only invalid."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
