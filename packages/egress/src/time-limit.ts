import { EgressError } from './egress-error.js';

/** A signal that aborts with TIMEOUT after `ms`, or with ABORTED when the caller's own does. `end` frees both. */
export function limitTime(ms: number, callers: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onAbort = () => controller.abort(new EgressError('ABORTED', 'the request was aborted'));
  const onTimeout = () => controller.abort(new EgressError('TIMEOUT', `no complete answer within ${ms} ms`));

  const timer = setTimeout(onTimeout, ms);
  if (callers?.aborted) onAbort();
  callers?.addEventListener('abort', onAbort);
  const end = () => {
    clearTimeout(timer);
    callers?.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, end };
}
