import { ActionFailedError, ForbiddenError, ValidationError } from './gen/errors.js';

/** Enough for the open approvals of an agent. */
const MAX_KEYS = 100;

/**
 * The idempotency keys of the calls of one tool that a person must approve. A tool call id is no idempotency key. Some providers count it from 0 in
 * each conversation, and keys belong to the organization: the call would get the response of another conversation.
 */
export class ApprovedCalls {
  private readonly keys = new Map<string, string>();

  add(input: object, key: string): void {
    this.store(canonical(input), key);
  }

  /**
   * Sends a call under the key of its approval, if it has one. After an error that does not tell whether the call ran, the same call has this key
   * again, so that it cannot run twice.
   */
  async send<Result>(input: object, request: (idempotencyKey?: string) => Promise<Result>): Promise<Result> {
    const call = canonical(input);
    const key = this.keys.get(call);
    // The same call beside this one is another one, and needs its own approval.
    this.keys.delete(call);
    try {
      return await request(key);
    } catch (error) {
      if (key !== undefined && !isFinal(error)) this.store(call, key);
      throw error;
    }
  }

  private store(call: string, key: string): void {
    this.keys.set(call, key);
    if (this.keys.size > MAX_KEYS) this.keys.delete(this.keys.keys().next().value!);
  }
}

/**
 * Returns true if the same call would get the same error again, because the error is the stored response of its key or a policy blocks the call. A key
 * of a stored ACTION_FAILED with an unknown outcome would never run: a person decides whether the call is sent again.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof ActionFailedError ||
  error instanceof ValidationError ||
  (error instanceof ForbiddenError && error.details.policyId !== undefined);

/** Models do not repeat the order of keys. */
const canonical = (input: object): string =>
  JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
