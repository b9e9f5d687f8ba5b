import { ApiError } from '@drawbridge/contracts';
import { type Release, QueueFullError, TenantLimiter } from '@drawbridge/turns';
import { type RequestHandler, type Response } from 'express';
import { contextOf } from './request-context.js';
import { operationOf } from './route-table.js';

/** Requests of one organization that are worked on at once, fewer than a service has database connections; the next wait. */
const REQUESTS = { atOnce: 6, waiting: 1_000 };
/** What may take long is mostly waiting for others: as many as may be sent out at once. */
const LONG_REQUESTS = { atOnce: 100, waiting: 1_000 };
/** Whoever reads slowly keeps a turn for as long as that takes: apart, so that it is none that others need. */
const STREAMS = { atOnce: 3, waiting: 20 };
const RETRY_AFTER_SECONDS = 1;

/**
 * One organization's share of this process: however many requests it sends, those of others are not behind them. Nor are its own of another
 * lane: who revokes a key must not wait for all that was sent with it.
 */
export function concurrencyLimit(laneOf = keyOrSession): RequestHandler {
  const requests = new TenantLimiter(REQUESTS);
  const longRequests = new TenantLimiter(LONG_REQUESTS);
  const streams = new TenantLimiter(STREAMS);
  return async (_request, response, next) => {
    const { caller, signal } = contextOf(response);
    if (!caller) return next();
    const { isLong, isStreamed } = operationOf(response);
    const turns = isStreamed ? streams : isLong ? longRequests : requests;
    keepTurn(response, await waitForTurn(turns, caller.orgId || caller.userId, signal, laneOf(response)));
    if (!response.closed) next();
  };
}

function keyOrSession(response: Response): string | undefined {
  const { caller } = contextOf(response);
  return caller?.keyId ?? caller?.sessionId;
}

/** One more turn, until the response is over or `leaveTurns` is called. */
export function keepTurn(response: Response, end: Release): void {
  const ends: Release[] = (response.locals['endTurns'] ??= []);
  ends.push(end);
  releaseOnClose(response, () => leaveTurns(response));
}

/** For an answer that goes on for long and does nothing meanwhile: others need its turns. */
export function leaveTurns(response: Response): void {
  const ends: Release[] = response.locals['endTurns'] ?? [];
  for (const end of ends.splice(0)) end();
}

/** Resolves when it is this tenant's turn. Throws RATE_LIMITED when too many wait, TIMEOUT when the caller has left. */
export async function waitForTurn(
  turns: TenantLimiter,
  ...who: Parameters<TenantLimiter['acquire']>
): Promise<Release> {
  return turns.acquire(...who).catch((cause: unknown) => {
    if (!(cause instanceof QueueFullError))
      throw new ApiError('TIMEOUT', 'The caller left before its turn came', { cause });
    const details = { retryAfter: RETRY_AFTER_SECONDS };
    throw new ApiError('RATE_LIMITED', 'Too many requests wait for their turn', { cause, details });
  });
}

/** The turn lasts as long as the response, which may be over by the time that the turn comes. */
export function releaseOnClose(response: Response, end: Release): void {
  if (response.closed) end();
  else response.once('close', end);
}
