import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';

/** Makes the links absolute: the service knows their paths alone. */
export function shownApproval(address: (path: string) => string, approval: Approval): Approval {
  const whole = (path: string | undefined): string | undefined => path && address(path);
  const { approvalUrl, hostedApprovalUrl } = approval;
  return { ...approval, approvalUrl: whole(approvalUrl), hostedApprovalUrl: whole(hostedApprovalUrl) };
}

/** Nothing ran: a person must say yes first. */
export interface ApprovalRequired {
  success: false;
  status: 'approval_required';
  approval: RequiredApproval;
}

export interface RequiredApproval {
  id: string;
  /** pending. */
  status: string;
  /** For who can sign in; null where the policy has it decided by a link alone. */
  approvalUrl?: string;
  /** For whoever has it; null where the policy allows none. */
  hostedApprovalUrl?: string;
  /**
   * Until when it can be decided.
   * @format date-time
   */
  expiresAt: string;
  /** What to send with the same call, once it is approved. */
  retry: { idempotencyKey: string };
}

export function toRequired(pending: Approval): ApprovalRequired {
  const { id, status, approvalUrl, hostedApprovalUrl, expiresAt, idempotencyKey = '' } = pending;
  const approval = { id, status, approvalUrl, hostedApprovalUrl, expiresAt, retry: { idempotencyKey } };
  return { success: false, status: 'approval_required', approval };
}
