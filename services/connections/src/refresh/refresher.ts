import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';
import { type Background, currentContext, untilDeadline } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Parts } from '../parts.js';
import { LOOK } from './statements.js';
import { takeTurn, type Worn } from './refresh-credential.js';

export interface Refresher extends Background {
  /**
   * Resolves when the connection has a different credential. Only one process requests it from the provider, no matter how many callers in all
   * processes wait. Throws CONNECTION_REQUIRED if the connection cannot be refreshed (details.reason `error` or `not_connected`), UNAVAILABLE if the
   * provider cannot be reached, and TIMEOUT if the caller disconnected.
   */
  renew(worn: Worn): Promise<void>;
}

/**
 * Pauses, in milliseconds, between reads of the row. Each pause is 1.5 times as long as the previous one, because many callers may wait for a slow
 * provider.
 */
const LOOK_AGAIN_MS = 100;
const MOST_MS = 1_000;

interface Seen {
  status: string;
  version: string;
  isRefreshing: boolean;
  retryAfter: number | null;
}

export function refresher(needs: Parts): Refresher {
  const underWay = new Map<string, Promise<void>>();
  return {
    async renew(worn) {
      const key = `${worn.connectionId} ${worn.version}`;
      const known = underWay.get(key);
      if (known) return unlessLeft(known);
      const asked = renewOnce(worn, needs).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      asked.catch(() => undefined); // Prevents an unhandled rejection if the caller disconnected.
      return unlessLeft(asked);
    },
    start: () => undefined,
    stop: (deadline) => untilDeadline(Promise.allSettled(underWay.values()), deadline),
  };
}

/**
 * Refreshes under the lock, or waits for the process that holds the lock. Continues when the caller disconnects, because the grant of the provider
 * must be stored.
 */
async function renewOnce(worn: Worn, needs: Parts): Promise<void> {
  for (let wait = LOOK_AGAIN_MS; ; wait = Math.min(wait * 1.5, MOST_MS)) {
    const end = await takeTurn(worn, needs);
    if (end === 'renewed') return;
    const seen = await look(needs.pool, worn);
    if (!seen) throw required('not_connected', 'The connection was deleted', worn);
    if (seen.version !== worn.version && seen.status === 'ACTIVE') return;
    if (seen.status !== 'ACTIVE')
      throw required('error', 'The provider rejected the credential of the connection. Reconnect it.', worn);
    if (!seen.isRefreshing && (seen.retryAfter ?? 0) > 0) throw putOff(worn, seen.retryAfter ?? 1);
    await sleep(wait);
  }
}

async function look(pool: Pool, { connectionId, orgId }: Worn): Promise<Seen | undefined> {
  const { rows } = await pool.query<Seen>({ name: 'look-at-refresh', text: LOOK, values: [connectionId, orgId] });
  return rows[0];
}

/** Waits for the refresh until the caller disconnects. */
async function unlessLeft(work: Promise<void>): Promise<void> {
  const signal = currentContext()?.signal;
  if (!signal) return work;
  let leave = (): void => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(new ApiError('TIMEOUT', 'The caller disconnected while the connection was refreshed'));
  });
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave);
  return Promise.race([work, left]).finally(() => signal.removeEventListener('abort', leave));
}

function required(reason: string, message: string, { connectionId }: Worn): ApiError {
  return new ApiError('CONNECTION_REQUIRED', message, { details: { reason, connectionId } });
}

function putOff({ connectionId }: Worn, retryAfter: number): ApiError {
  const message = 'The access token has expired and could not be refreshed. Try again.';
  return new ApiError('UNAVAILABLE', message, { details: { reason: 'refresh_failed', connectionId, retryAfter } });
}
