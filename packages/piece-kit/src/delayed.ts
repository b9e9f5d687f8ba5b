import { setTimeout as sleep } from 'node:timers/promises';
import type { Send } from './send.js';

/** Sends what is to wait (`delayMs`) when its time has come, and not at all once its signal has aborted. */
export function delayed(send: Send): Send {
  return async ({ delayMs, ...request }) => {
    if (delayMs) await sleep(delayMs, undefined, { signal: request.signal });
    return send(request);
  };
}
