import { ApiError } from '@drawbridge/contracts';
import { type Release, QueueFullError, type TenantLimiter } from '@drawbridge/turns';
import { type Response } from 'express';

const RETRY_AFTER_SECONDS = 1;

/** Resolves when it is this tenant's turn. Throws RATE_LIMITED when too many wait, TIMEOUT when the caller has left. */
export async function waitForTurn(turns: TenantLimiter, tenant: string, signal: AbortSignal): Promise<Release> {
  return turns.acquire(tenant, signal).catch((cause: unknown) => {
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
