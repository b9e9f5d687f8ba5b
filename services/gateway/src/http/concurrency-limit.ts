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
 * key or session: who revokes a key must not wait for all that was sent with it.
 */
export function concurrencyLimit(): RequestHandler {
  const requests = new TenantLimiter(REQUESTS);
  const longRequests = new TenantLimiter(LONG_REQUESTS);
  const streams = new TenantLimiter(STREAMS);
  return async (_request, response, next) => {
    const { caller, signal } = contextOf(response);
    if (!caller) return next();
    const { isLong, isStreamed } = operationOf(response);
    const turns = isStreamed ? streams : isLong ? longRequests : requests;
    const end = await waitForTurn(turns, caller.orgId || caller.userId, signal, caller.keyId ?? caller.sessionId);
    response.locals['endTurn'] = end;
    releaseOnClose(response, () => leaveTurn(response));
    if (!response.closed) next();
  };
}

/** For an answer that goes on for long and does nothing meanwhile: others need its turn. */
export function leaveTurn(response: Response): void {
  const end: Release | undefined = response.locals['endTurn'];
  delete response.locals['endTurn'];
  end?.();
}

/** Resolves when it is this tenant's turn. Throws RATE_LIMITED when too many wait, TIMEOUT when the caller has left. */
export async function waitForTurn(
  turns: TenantLimiter,
  ...who: Parameters<TenantLimiter['acquire']>
): Promise<Release> {
  return turns.acquire(...who).catch((cause: unknown) => {
    if (!(cause instanceof QueueFullError))
      throw new ApiError('TIMEOUT', 'The caller left before its turn came', { cause });
    const message = 'Too many requests of this organization wait for their turn';
    throw new ApiError('RATE_LIMITED', message, { cause, details: { retryAfter: RETRY_AFTER_SECONDS } });
  });
}

/** The turn lasts as long as the response, which may be over by the time that the turn comes. */
export function releaseOnClose(response: Response, end: Release): void {
  if (response.closed) end();
  else response.once('close', end);
}
