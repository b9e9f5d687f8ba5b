import { createHash } from 'node:crypto';
import { type EgressCode, EgressError } from '@drawbridge/egress/egress-error'; // A worker imports only the error, not the HTTP client.
import { type Answer, delayed, isRateLimit, type Send, type SendRequest } from '@drawbridge/piece-kit';

/** A request that a run sent, and its result. If `answer` and `refusal` are both absent, the result is unknown or has not arrived yet. */
export interface Exchange {
  request: RequestIdentity;
  answer?: Omit<Answer, 'body'>;
  refusal?: { code: EgressCode; reason: string; host?: string; sent: boolean };
}

/** Identifies a request, so that it is recognized when a restarted run sends it again. `body` is a digest. */
export type RequestIdentity = Pick<SendRequest, 'method' | 'url'> & { body?: string };

/** A request that was started, and its result after it has ended. */
export interface PendingExchange extends Exchange {
  answer?: Answer;
  /** The error of a failed request. */
  error?: unknown;
  /** Sequence numbers of the starts and ends of requests. */
  startedAs: number;
  endedAs?: number;
  /** Resolves when the request has ended, successfully or not. */
  ended: Promise<void>;
}

let moments = 0;

/** Sends a request, after its delay if it has one, and appends it to the requests of the run. */
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

/** HTTP methods that change no data: the safe methods of RFC 9110, section 9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns true if a request of the run may have changed data at the provider. A rate-limited request, or a request that was not sent, has changed
 * nothing.
 */
export function mayHaveWritten(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ request, answer, refusal }) => {
    if (SAFE.has(request.method.toUpperCase())) return false;
    if (!answer) return refusal?.sent !== false;
    return !isRateLimit(answer) || answer.url !== new URL(request.url).href; // After a redirect, another endpoint was rate-limited.
  });
}
