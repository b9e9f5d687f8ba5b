import { currentContext } from '@drawbridge/rpc';
import { slotRefused, TenantLimiter } from '@drawbridge/turns';

/** Transactions of one server hold its row, each with a connection, of which a process has few: the next wait without one. */
const OF_SERVER = { atOnce: 2, waiting: 50 };
const NEVER = new AbortController().signal;

/**
 * Works when it is the server's turn; end users of one server take turns. Throws RATE_LIMITED when too many wait, and TIMEOUT when the caller
 * has left.
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
