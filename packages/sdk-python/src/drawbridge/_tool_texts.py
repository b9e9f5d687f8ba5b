"""Texts for models: why a call did not run or failed, and what to do about it."""

from __future__ import annotations

import json
import re
from typing import Any

from . import models
from ._codes import ActionFailedError, ForbiddenError, ValidationError
from ._errors import DrawbridgeError
from .approvals import ApprovalDeclinedError


def output_text(result: Any) -> str:
    """Returns the result of a call as text. Some frameworks read an object with a `type` as an image or a file."""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)


def approval_text(tool: str, approval: models.RequiredApproval) -> str:
    """Returns the text for a call that did not run, because a person must approve it first."""
    url = approval.hosted_approval_url or approval.approval_url
    request = f"Ask the user to decide at {url}" if url else "Ask the user to decide"
    until = approval.expires_at.isoformat()
    return (
        f"A person must approve this first. {tool} did not run. {request} before {until}. "
        f"After the approval, call {tool} again with exactly the same arguments."
    )


def error_text(tool: str, error: DrawbridgeError) -> str | None:
    """Returns the text of an error that a model can act on: the action failed, its input is invalid, or a policy or a person refused the call.

    Returns None for any other error, which concerns the program.
    """
    if isinstance(error, ApprovalDeclinedError):
        return f"{tool} did not run. {error}. Do not call it again unless the user asks for it."
    if isinstance(error, ActionFailedError):
        return f"{tool} failed: {error}. {_advice(error)}"
    if isinstance(error, ForbiddenError) and error.details.get("policyId"):
        reasons = ". ".join([error.message, *error.details.get("reasons", [])])
        return f"{tool} did not run. {reasons}. Do not repeat this call."
    return _input_text(tool, error) if isinstance(error, ValidationError) else None


def _advice(error: ActionFailedError) -> str:
    if error.details.get("reason") == "outcome_unknown":
        return "It may have been done: read the data before you call it again."
    return "Try again later." if error.details.get("retryable") else "The same arguments fail again: correct them first."


def _input_text(tool: str, error: ValidationError) -> str | None:
    """Returns the text of an error of the input. Returns None if a field outside of the input is invalid, because the program set that field."""
    fields: dict[str, dict[str, str]] = error.details.get("fields") or {}
    if any(not re.match(r"input\b", path) for path in fields):
        return None
    problems = "; ".join(f"{path.removeprefix('input.')} {problem['message']}" for path, problem in fields.items())
    return f"{tool} did not run. Its arguments are invalid: {problems or error.message}. Correct them and call it again."
