import { currentContext } from '@drawbridge/rpc';
import { slotRefused, TenantLimiter } from '@drawbridge/turns';

/** Transactions of one server lock its row, and each uses a connection, of which a process has few. Further ones wait without a connection. */
const OF_SERVER = { atOnce: 2, waiting: 50 };
const NEVER = new AbortController().signal;

/**
 * Runs `work` in a slot of the server, with fair scheduling between its end users. Throws RATE_LIMITED if too many wait, and TIMEOUT if the caller
 * disconnected.
 */
export type AtServer = <T>(serverId: string, endUserRecordId: string, work: () => Promise<T>) => Promise<T>;

export function serverTurns(): AtServer {
  const turns = new TenantLimiter(OF_SERVER);
  return async (serverId, endUserRecordId, work) => {
    const { signal = NEVER } = currentContext() ?? {};
    const end = await turns.acquire(serverId, signal, endUserRecordId).catch((cause: unknown) => {
      throw slotRefused(cause, 'Too many wait for this MCP server; try again');
    });
    return work().finally(end);
  };
}
