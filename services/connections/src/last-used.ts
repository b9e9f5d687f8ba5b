import { repeat } from '@drawbridge/events';
import { type Background } from '@drawbridge/rpc';
import { type Parts } from './parts.js';

const FLUSH_MS = 10_000;

/** A row is written at most once in five minutes. A locked row is skipped: its next use is noted. */
const NOTE = `
  UPDATE connections.connections c SET last_used_at = now()
  FROM (
    SELECT id FROM connections.connections
    JOIN unnest($1::uuid[], $2::uuid[]) AS used (used_org_id, used_id) ON org_id = used_org_id AND id = used_id
    WHERE last_used_at IS NULL OR last_used_at < now() - interval '5 minutes'
    ORDER BY id FOR NO KEY UPDATE OF connections SKIP LOCKED
  ) AS due
  WHERE c.id = due.id`;

export interface LastUsed extends Background {
  /** Notes a use for the next flush, so that a run does not wait for it. */
  note(used: { orgId: string; connectionId: string }): void;
}

/** Writes `last_used_at` of the connections that were opened since the last flush, in one statement. */
export function lastUsed({ pool, log }: Pick<Parts, 'pool' | 'log'>): LastUsed {
  let used = new Map<string, string>();
  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const values = [[...used.values()], [...used.keys()]];
    used = new Map();
    await pool.query(NOTE, values);
  };
  const flushing = repeat({ name: 'noting used connections', everyMs: FLUSH_MS, log }, flush);
  return {
    ...flushing,
    note: ({ orgId, connectionId }) => void used.set(connectionId, orgId),
    stop: async (deadline) => {
      await flushing.stop(deadline);
      await flush().catch(() => undefined);
    },
  };
}
