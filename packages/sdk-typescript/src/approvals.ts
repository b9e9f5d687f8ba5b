import { type ActionCall, type ActionResult } from './actions.js';
import { type ExecutedAction, type RequiredApproval, type ShownApproval } from './gen/models.js';
import { type Resources } from './gen/resources.js';
import { type RequestOptions } from './request.js';
import { pause } from './retry.js';

/** The call will not run: a person rejected or canceled it, or no person decided in time. */
export class ApprovalDeclinedError extends Error {
  override readonly name = 'ApprovalDeclinedError';

  constructor(readonly approval: ShownApproval) {
    const reason = approval.decisionReason ? `: ${approval.decisionReason}` : '';
    super(`Approval ${approval.id} is ${approval.status}${reason}`);
  }
}

export interface WaitOptions extends RequestOptions {
  /** The first pause between two requests, in milliseconds. Defaults to a second; pauses grow to ten times that. */
  pollMs?: number;
}

export interface ApprovalOptions extends WaitOptions {
  /** Receives each approval that the call needs, for example to show its `hostedApprovalUrl` to a person. */
  onApprovalRequired?(approval: RequiredApproval): void | Promise<void>;
}

const POLL_MS = 1_000;

/**
 * Waits until an approval is decided, and returns it if it was approved. Throws ApprovalDeclinedError if it was rejected, canceled or expired. The
 * wait lasts at most until the approval expires; abort `signal` to end it earlier.
 */
export async function waitForApproval(
  approvals: Pick<Resources['approvals'], 'get'>,
  id: string,
  { pollMs = POLL_MS, ...options }: WaitOptions = {},
): Promise<ShownApproval> {
  for (let delay = pollMs; ; delay = Math.min(delay * 1.5, pollMs * 10)) {
    const { approval } = await approvals.get(id, options);
    if (approval.status === 'approved' || approval.status === 'consumed') return approval;
    if (approval.status !== 'pending') throw new ApprovalDeclinedError(approval);
    await pause(delay, options.signal);
  }
}

/**
 * Executes an action and, if policies require it, waits for the approval and sends the same call again. Throws ApprovalDeclinedError if it is
 * declined. After a restart of your program, repeat the call with the same idempotency key.
 */
export async function executeWithApproval(
  client: { actions: { execute(call: ActionCall, options?: RequestOptions): Promise<ActionResult> } } & Pick<
    Resources,
    'approvals'
  >,
  call: ActionCall,
  { onApprovalRequired, pollMs, ...options }: ApprovalOptions = {},
): Promise<ExecutedAction> {
  for (let next = call; ;) {
    const result = await client.actions.execute(next, options);
    if (result.success) return result;
    // If the approved call has changed since the approval, the repeated call needs another approval.
    await onApprovalRequired?.(result.approval);
    await waitForApproval(client.approvals, result.approval.id, { ...options, pollMs });
    next = { ...call, idempotencyKey: result.approval.retry.idempotencyKey };
  }
}
