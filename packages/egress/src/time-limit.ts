import { EgressError } from './egress-error.js';

/**
 * Returns a signal that aborts with TIMEOUT after `ms`, or with ABORTED when `callers` aborts. Call `end` to release the timer and the listener. On
 * timeout, data that has already arrived is read first: a process that was suspended finds the response in its buffers, and the provider may send
 * data such as a new token only once.
 */
export function withTimeLimit(ms: number, callers: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const onTimeout = () => controller.abort(new EgressError('TIMEOUT', `no complete response within ${ms} ms`));
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (reading = setImmediate(onTimeout)), ms);
  const end = () => {
    clearTimeout(timer);
    clearImmediate(reading);
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
