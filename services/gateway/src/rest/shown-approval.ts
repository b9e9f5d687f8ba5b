import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';

/** Makes the links absolute, because the approvals service stores only their paths. */
export function shownApproval(address: (path: string) => string, approval: Approval): Approval {
  const whole = (path: string | undefined): string | undefined => path && address(path);
  const { approvalUrl, hostedApprovalUrl } = approval;
  return { ...approval, approvalUrl: whole(approvalUrl), hostedApprovalUrl: whole(hostedApprovalUrl) };
}

/** The response to a call that was not run because it needs approval first. */
export interface ApprovalRequired {
  success: false;
  status: 'approval_required';
  approval: RequiredApproval;
}

export interface RequiredApproval {
  id: string;
  /** Always `pending`. */
  status: string;
  /** The dashboard link for approvers who can sign in, or null if the policy only allows decisions by hosted link. */
  approvalUrl?: string;
  /** The hosted link. Anyone with the link can decide. Null if the policy does not allow it. */
  hostedApprovalUrl?: string;
  /**
   * When the request expires.
   * @format date-time
   */
  expiresAt: string;
  /** The idempotency key to send with the same call after the approval. */
  retry: { idempotencyKey: string };
}

export function toRequired(pending: Approval): ApprovalRequired {
  const { id, status, approvalUrl, hostedApprovalUrl, expiresAt, idempotencyKey = '' } = pending;
  const approval = { id, status, approvalUrl, hostedApprovalUrl, expiresAt, retry: { idempotencyKey } };
  return { success: false, status: 'approval_required', approval };
}
