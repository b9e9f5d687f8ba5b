import { type EgressCode, EgressError } from '@drawbridge/egress';
import { type Answer, delayed, isRateLimit, type Send, type SendRequest } from '@drawbridge/piece-kit';

/** What a run asked, and what it was answered; neither answer nor refusal: it is not known, or not yet. */
export interface Exchange {
  request: Pick<SendRequest, 'method' | 'url'>;
  answer?: Answer;
  refusal?: { code: EgressCode; reason: string; host?: string; sent: boolean };
}

/** A request under way. */
export interface PendingExchange extends Exchange {
  /** What it failed with. */
  error?: unknown;
  /** Resolves when it has ended, however. */
  ended: Promise<void>;
}

/** Sends at once, or when the request's time has come. */
export function startExchange(send: Send, request: SendRequest): PendingExchange {
  const { method, url } = request;
  const setAnswer = (answer: Answer): void => void (exchange.answer = answer);
  const setError = (error: unknown): void => {
    exchange.error = error;
    if (!(error instanceof EgressError)) return;
    const { code, reason, host, sent } = error;
    exchange.refusal = { code, reason, host, sent };
  };
  const exchange: PendingExchange = {
    request: { method, url },
    ended: delayed(send)(request).then(setAnswer, setError),
  };
  return exchange;
}

/** Methods that change nothing: RFC 9110, 9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a run has sent anything that may have changed something, whatever it was answered, unless that was: not now. */
export function mayHaveWritten(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ request, answer, refusal }) => {
    if (SAFE.has(request.method.toUpperCase())) return false;
    if (!answer) return refusal?.sent !== false;
    return !isRateLimit(answer) || answer.url !== new URL(request.url).href; // after a redirect another answered
  });
}
