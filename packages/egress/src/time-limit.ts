import { EgressError } from './egress-error.js';

/** A signal that aborts with TIMEOUT after `ms`, or with ABORTED when the caller's own does. `end` frees both. */
export function withTimeLimit(ms: number, callers: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onTimeout = () => controller.abort(new EgressError('TIMEOUT', `no complete answer within ${ms} ms`));
  const timer = setTimeout(onTimeout, ms);
  const end = () => {
    clearTimeout(timer);
    callers?.removeEventListener('abort', onAbort);
  };
  const onAbort = () => {
    end();
    controller.abort(new EgressError('ABORTED', 'the request was aborted'));
  };

  if (callers?.aborted) onAbort();
  else callers?.addEventListener('abort', onAbort);
  return { signal: controller.signal, end };
}
