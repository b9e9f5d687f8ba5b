"""Approvals: waiting for the decision of a person."""

from __future__ import annotations

from . import models
from ._errors import DrawbridgeError

POLL_SECONDS = 1.0
_SLOWEST = 10.0


class ApprovalDeclinedError(DrawbridgeError):
    """The call will not run: a person rejected or canceled it, or no person decided in time."""

    def __init__(self, approval: models.ShownApproval) -> None:
        reason = f": {approval.decision_reason}" if approval.decision_reason else ""
        super().__init__(f"Approval {approval.id} is {approval.status}{reason}")
        self.approval = approval


def is_approved(approval: models.ShownApproval) -> bool:
    """Returns whether the approval was approved; False if it is pending. Raises ApprovalDeclinedError for any other decision."""
    if approval.status in ("approved", "consumed"):
        return True
    if approval.status == "pending":
        return False
    raise ApprovalDeclinedError(approval)


def next_delay(delay: float, poll_seconds: float) -> float:
    return min(delay * 1.5, poll_seconds * _SLOWEST)
