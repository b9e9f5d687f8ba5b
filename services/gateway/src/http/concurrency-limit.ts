import { TenantLimiter } from '@drawbridge/turns';
import { type RequestHandler } from 'express';
import { releaseOnClose, waitForTurn } from './wait-for-turn.js';
import { contextOf } from './request-context.js';
import { operationOf } from './route-table.js';

/** Requests of one organization that are worked on at once, fewer than a service has database connections; the next wait. */
const REQUESTS = { atOnce: 6, waiting: 1_000 };
/** What may take long is mostly waiting for others: as many as may be sent out at once. */
const LONG_REQUESTS = { atOnce: 100, waiting: 1_000 };

/** One organization's share of this process: however many requests it sends, those of others are not behind them. */
export function concurrencyLimit(): RequestHandler {
  const requests = new TenantLimiter(REQUESTS);
  const longRequests = new TenantLimiter(LONG_REQUESTS);
  return async (_request, response, next) => {
    const { caller, signal } = contextOf(response);
    if (!caller) return next();
    const turns = operationOf(response).isLong ? longRequests : requests;
    releaseOnClose(response, await waitForTurn(turns, caller.orgId, signal));
    if (!response.closed) next();
  };
}
