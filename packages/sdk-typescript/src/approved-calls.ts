import { canonical } from './find-equal.js';
import { ActionFailedError, ForbiddenError, ValidationError } from './gen/errors.js';

/** Maximum number of stored keys of one tool. The oldest key is deleted first. */
const MAX_KEYS = 100;

/**
 * The idempotency keys of the calls of one tool that a person must approve. The id of a tool call cannot be the key: some model providers count these
 * ids from 0 in each conversation, and keys are shared by the organization, so a call could get the response of another conversation.
 */
export class ApprovedCalls {
  /** The keys by the canonical inputs, because a model that repeats a call may write the keys of its input in another order. */
  private readonly keys = new Map<string, string>();

  add(input: object, key: string): void {
    this.store(canonical(input), key);
  }

  /**
   * Sends a call with the idempotency key of its approval, if it has one. If an error leaves it unknown whether the call ran, the key stays stored
   * for the same call, so that the call cannot run twice.
   */
  async send<Result>(input: object, request: (idempotencyKey?: string) => Promise<Result>): Promise<Result> {
    const call = canonical(input);
    const key = this.keys.get(call);
    // An identical call that is sent at the same time is a second call, and needs its own approval.
    this.keys.delete(call);
    try {
      return await request(key);
    } catch (error) {
      if (key !== undefined && !endsApproval(error)) this.store(call, key);
      throw error;
    }
  }

  private store(call: string, key: string): void {
    this.keys.set(call, key);
    if (this.keys.size > MAX_KEYS) this.keys.delete(this.keys.keys().next().value!);
  }
}

/**
 * Returns true if the approval of a call is of no use after the error, because the error is the stored response of its key, or because the approval was
 * used by another call or has expired. A stored ACTION_FAILED ends it even if its outcome is unknown: its key would return it again, and a new call needs
 * a new approval. A policy that blocks the call does not end it: the call runs if the policy is removed in time.
 */
export const endsApproval = (error: unknown): boolean =>
  error instanceof ActionFailedError ||
  error instanceof ValidationError ||
  (error instanceof ForbiddenError && ['used', 'expired'].includes(error.details.reason ?? ''));
