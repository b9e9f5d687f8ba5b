import { setTimeout as sleep } from 'node:timers/promises';
import type { Send } from './send.js';

/** Wraps `send` to wait `delayMs` before the request. Rejects without sending if the signal aborts first. */
export function delayed(send: Send): Send {
  return async ({ delayMs, ...request }) => {
    if (delayMs) await sleep(delayMs, undefined, { signal: request.signal });
    return send(request);
  };
}
