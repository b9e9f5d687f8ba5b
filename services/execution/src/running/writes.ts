import { EgressError } from '@drawbridge/egress';
import { isRateLimit, type Send } from '@drawbridge/piece-kit';

/** Methods that change nothing: RFC 9110, 9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isSafe(method: string): boolean {
  return SAFE.has(method.toUpperCase());
}

/** Whether a run has sent anything that may have changed something, whatever it was answered, unless that was: not now. */
export function watchWrites(send: Send): { send: Send; mayHaveWritten(): boolean } {
  let written = false;
  return {
    async send(request) {
      if (isSafe(request.method)) return send(request);
      try {
        const answer = await send(request);
        written ||= !isRateLimit(answer);
        return answer;
      } catch (error) {
        written ||= !(error instanceof EgressError) || error.sent;
        throw error;
      }
    },
    mayHaveWritten: () => written,
  };
}
