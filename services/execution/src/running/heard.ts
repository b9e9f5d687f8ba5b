import { type EgressCode, EgressError } from '@drawbridge/egress';
import { type Answer, isRateLimit, type Send, type SendRequest } from '@drawbridge/piece-kit';

/** What a run asked, and what it was answered; neither answer nor refusal: it is not known, or not yet. */
export interface Heard {
  asked: Pick<SendRequest, 'method' | 'url'>;
  answer?: Answer;
  refusal?: { code: EgressCode; reason: string; host?: string; sent: boolean };
}

/** A request under way. */
export interface Asked extends Heard {
  /** What it failed with. */
  error?: unknown;
  /** Resolves when it has ended, however. */
  ended: Promise<void>;
}

export function ask(send: Send, request: SendRequest): Asked {
  const { method, url } = request;
  const hear = (answer: Answer): void => void (asked.answer = answer);
  const fail = (error: unknown): void => {
    asked.error = error;
    if (!(error instanceof EgressError)) return;
    const { code, reason, host, sent } = error;
    asked.refusal = { code, reason, host, sent };
  };
  const asked: Asked = { asked: { method, url }, ended: send(request).then(hear, fail) };
  return asked;
}

/** Methods that change nothing: RFC 9110, 9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a run has sent anything that may have changed something, whatever it was answered, unless that was: not now. */
export function mayHaveWritten(heard: readonly Heard[]): boolean {
  return heard.some(({ asked, answer, refusal }) => {
    if (SAFE.has(asked.method.toUpperCase())) return false;
    if (!answer) return refusal?.sent !== false;
    return !isRateLimit(answer) || answer.url !== new URL(asked.url).href; // after a redirect another answered
  });
}
