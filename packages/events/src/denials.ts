import { type ServiceName } from '@drawbridge/contracts';
import { type Background, type DeniedCall, describeError } from '@drawbridge/rpc';
import { denialEvent } from './audit-event.js';
import { type Log } from './bus.js';
import { eventValues, insertEvent } from './outbox-row.js';

const WINDOW_MS = 60_000;
/** Refused calls of one caller that are recorded one by one in a window: repeated refusals must not fill the disk. */
const ONE_BY_ONE = 20;
const MAX_CALLERS = 10_000;

interface Needs {
  service: ServiceName;
  pool: { query(sql: string, values: unknown[]): Promise<unknown> };
  log: Pick<Log, 'warn'>;
}

export interface Denials extends Background {
  /** Resolves when the refusal is written or counted; never rejects. */
  note(denied: DeniedCall): Promise<void>;
}

/**
 * Writes refused calls to the outbox for the audit log. The first ones of each caller in a minute are written one by one, before the refusal is
 * sent; the rest become one entry with their count, at the end of the minute or at shutdown.
 */
export function denials({ service, pool, log }: Needs): Denials {
  const insert = insertEvent(service, { first: 1 });
  let refused = new Map<string, { more: number; last: DeniedCall; seen: number }>();
  let timer: NodeJS.Timeout;

  const write = async (denied: DeniedCall): Promise<void> => {
    try {
      await pool.query(insert, eventValues(denialEvent(denied)));
    } catch (error) {
      log.warn({ error: describeError(error) }, 'a refused call could not be recorded');
    }
  };
  const flush = async (): Promise<void> => {
    const over = [...refused.values()].filter(({ more }) => more > 0);
    refused = new Map();
    for (const { last, more } of over) await write(summaryOf(last, more));
  };

  return {
    async note(denied) {
      const { keyId, sessionId, userId, orgId } = denied.caller;
      const who = `${orgId} ${keyId ?? sessionId ?? userId}`;
      const known = refused.get(who) ?? { more: 0, last: denied, seen: 0 };
      refused.set(who, known);
      known.seen += 1;
      known.last = denied;
      if (known.seen <= ONE_BY_ONE) await write(denied);
      else known.more += 1;
      if (refused.size > MAX_CALLERS) await flush();
    },
    start: () => void (timer = setInterval(() => void flush(), WINDOW_MS).unref()),
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

function summaryOf({ caller, action }: DeniedCall, more: number): DeniedCall {
  return {
    caller,
    action,
    requestId: '',
    reason: `${more} more calls were refused within a minute, the last of them this one`,
  };
}
