import { Cancellation } from '@drawbridge/rpc';
import { EgressError } from './egress-error.js';

/**
 * Returns a Cancellation that aborts with TIMEOUT after `ms`, or with ABORTED when `callers` aborts. Call `end` to release the timer and the
 * listener. On timeout, data that has already arrived is read first: a process that was suspended finds the response in its buffers, and the provider
 * may send data such as a new token only once.
 */
export function withTimeLimit(ms: number, callers: AbortSignal | undefined): { limit: Cancellation; end: () => void } {
  const limit = new Cancellation();
  const onTimeout = () => limit.abort(new EgressError('TIMEOUT', `no complete response within ${ms} ms`));
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (reading = setImmediate(onTimeout)), ms);
  const end = () => {
    clearTimeout(timer);
    clearImmediate(reading);
    callers?.removeEventListener('abort', onAbort);
  };
  const onAbort = () => {
    end();
    limit.abort(new EgressError('ABORTED', 'the request was aborted'));
  };

  if (callers?.aborted) onAbort();
  else callers?.addEventListener('abort', onAbort);
  return { limit, end };
}

/** Waits until the caller has allowed a redirect. Rejects with the reason of `limit` if it aborts first, because the time limit includes the wait. */
export async function untilLimit(allowed: Promise<void> | undefined, limit: Cancellation): Promise<void> {
  if (allowed === undefined) return;
  let fail = (): void => undefined;
  const expired = new Promise<never>((_, reject) => {
    fail = () => reject(limit.reason as EgressError);
    if (limit.aborted) fail();
    limit.addEventListener('abort', fail);
  });
  await Promise.race([allowed, expired]).finally(() => limit.removeEventListener('abort', fail));
}
