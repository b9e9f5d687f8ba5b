import { createHash } from 'node:crypto';
import { type EgressCode, EgressError } from '@drawbridge/egress/egress-error'; // A worker does not load the HTTP client.
import { type Answer, delayed, isRateLimit, type Send, type SendRequest } from '@drawbridge/piece-kit';

/** A request of a run and its result. Without answer and refusal the result is not known, or not yet. */
export interface Exchange {
  request: RequestIdentity;
  answer?: Omit<Answer, 'body'>;
  refusal?: { code: EgressCode; reason: string; host?: string; sent: boolean };
}

/** Recognizes a request that a run sends again when it starts again. `body` is a digest. */
export type RequestIdentity = Pick<SendRequest, 'method' | 'url'> & { body?: string };

/** A request under way. */
export interface PendingExchange extends Exchange {
  answer?: Answer;
  /** The error of a failed request. */
  error?: unknown;
  /** Number the beginnings and ends of requests in their order. */
  startedAs: number;
  endedAs?: number;
  /** Resolves when the request has ended, with or without an answer. */
  ended: Promise<void>;
}

let moments = 0;

/** Sends at once, or when the request's time has come. Adds the exchange to those of the run. */
export function startExchange(send: Send, request: SendRequest, exchanges: PendingExchange[]): PendingExchange {
  const setAnswer = (answer: Answer): void => void (exchange.answer = answer);
  const setError = (error: unknown): void => {
    exchange.error = error;
    if (!(error instanceof EgressError)) return;
    const { code, reason, host, sent } = error;
    exchange.refusal = { code, reason, host, sent };
  };
  const exchange: PendingExchange = {
    request: identityOf(request),
    startedAs: moments++,
    ended: delayed(send)(request)
      .then(setAnswer, setError)
      .then(() => void (exchange.endedAs = moments++)),
  };
  exchanges.push(exchange);
  return exchange;
}

export function identityOf({ method, url, body }: SendRequest): RequestIdentity {
  return { method, url, body: body === undefined ? undefined : createHash('sha256').update(body).digest('base64') };
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
