from __future__ import annotations

import base64
import hashlib
import hmac
import time
from typing import Any

import pytest

from drawbridge import WebhookVerificationError, mcp_config, verify_webhook

KEY = b"0123456789abcdef0123456789abcdef"
SECRET = "whsec_" + base64.b64encode(KEY).decode()
OWN_SECRET = SECRET
BODY = b'{"type":"trigger.event","id":"evt_1","payload":{"order":1347}}'


def standard(body: bytes = BODY, key: bytes = KEY, at: float | None = None) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    signature = base64.b64encode(hmac.new(key, f"msg_1.{timestamp}.".encode() + body, hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": timestamp, "Webhook-Signature": f"v1,AAAA v2,x v1,{signature}"}


def own(body: bytes = BODY, secret: str = OWN_SECRET, at: float | None = None) -> dict[str, str]:
    timestamp = str(int(time.time() if at is None else at))
    signature = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Svc-Signature": f"t={timestamp},v1=00,v1={signature}"}


def test_returns_the_event_of_a_valid_signature() -> None:
    assert verify_webhook(BODY, standard(), SECRET)["payload"] == {"order": 1347}
    assert verify_webhook(BODY.decode(), standard(), ["whsec_" + base64.b64encode(b"o" * 32).decode(), SECRET])["id"] == "evt_1"
    assert verify_webhook(BODY, own(), OWN_SECRET)["id"] == "evt_1"


@pytest.mark.parametrize(
    ("body", "headers", "secret"),
    [
        (BODY + b" ", standard(), SECRET),
        (BODY, standard(key=b"other"), SECRET),
        (BODY, standard(at=time.time() - 400), SECRET),
        (BODY, standard(at=time.time() + 4_000), SECRET),
        (BODY, {**standard(), "Webhook-Timestamp": "nan"}, SECRET),
        (BODY, {**standard(), "Webhook-Timestamp": "9" * 400}, SECRET),
        (BODY, {**standard(), "Webhook-Id": "msg_2"}, SECRET),
        (BODY, {**standard(), "Webhook-Signature": "v1,ä"}, SECRET),
        (BODY, own(secret="other"), OWN_SECRET),
        (BODY, own(at=time.time() - 400), OWN_SECRET),
        (BODY, {"X-Svc-Signature": "t=,v1=00"}, OWN_SECRET),
        (BODY, {"X-Svc-Signature": "t=1,v1=zz"}, OWN_SECRET),
        (BODY, {}, SECRET),
        (BODY, standard(), []),
    ],
)
def test_refuses_any_other_request(body: bytes, headers: dict[str, str], secret: Any) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(body, headers, secret)


def test_explains_a_secret_that_is_none() -> None:
    with pytest.raises(ValueError, match="whsec_ and base64"):
        verify_webhook(BODY, standard(), "ä")


# The cases are those of `CASES` in packages/sdk-typescript/src/webhooks.test.ts.
@pytest.mark.parametrize(
    ("before", "own_before", "is_valid"),
    [
        ("v1,AAAA " * 11, "v1=00," * 11, True),
        ("", " ", True),
        ("v1,AAAA ", " v1=00 , ", True),
        (f"v1,{'A' * 43}= " * 9, f"v1={'0' * 64}," * 9, True),
        (f"v1,{'A' * 43}= " * 10, f"v1={'0' * 64}," * 10, False),
    ],
)
def test_reads_a_signature_after_others(before: str, own_before: str, is_valid: bool) -> None:
    timestamp, signature = own()["X-Svc-Signature"].split(",v1=00,")
    for headers in (
        {**standard(), "Webhook-Signature": before + standard()["Webhook-Signature"]},
        {"X-Svc-Signature": f"{timestamp},{own_before}{signature}"},
    ):
        if is_valid:
            assert verify_webhook(BODY, headers, SECRET)["id"] == "evt_1"
        else:
            with pytest.raises(WebhookVerificationError):
                verify_webhook(BODY, headers, SECRET)


@pytest.mark.parametrize("length", [0, 3, 16, 24, 31, 33])
def test_refuses_a_secret_with_a_key_that_does_not_have_32_bytes(length: int) -> None:
    secret = "whsec_" + base64.b64encode(b"a" * length).decode()
    for headers in (standard(key=b"a" * length), own(secret=secret)):
        with pytest.raises(ValueError, match="whsec_ and base64"):
            verify_webhook(BODY, headers, secret)


@pytest.mark.parametrize("secret", ["", "short", "0123456789abcdef0123456789abcdef"])
def test_refuses_a_text_that_is_no_secret(secret: str) -> None:
    for headers in (standard(key=b""), own(secret=secret)):
        with pytest.raises(ValueError, match="whsec_ and base64"):
            verify_webhook(BODY, headers, secret)


def test_reads_long_headers_in_linear_time() -> None:
    for size in (1_000, 1_000_000):
        with pytest.raises(WebhookVerificationError):
            verify_webhook(BODY, {"X-Svc-Signature": "t=1," + "v1=00," * size}, OWN_SECRET)


def test_quotes_the_configuration_of_a_shell() -> None:
    snippet = mcp_config("claude-code", name="a; rm -rf /", endpoint="https://a.example/mcp", token="t")
    expected = "claude mcp add --transport http 'a; rm -rf /' https://a.example/mcp --header 'Authorization: Bearer t'"
    assert (snippet.target, snippet.text) == ("shell", expected)
    assert '"type": "http"' in mcp_config("vscode", name="a", endpoint="https://a.example/mcp").text
