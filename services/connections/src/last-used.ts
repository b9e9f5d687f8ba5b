import { inTransaction, PutAside, repeat } from '@drawbridge/events';
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
  const flush = async (aside: PutAside): Promise<void> => {
    if (used.size === 0) return;
    const rows = [...used].map(([id, orgId]) => ({ id, orgId }));
    used = new Map();
    await inTransaction(pool, (tx) =>
      aside.byHalves(tx, rows, {
        keyOf: ({ id }) => id,
        work: (some) => tx.query(NOTE, [some.map(({ orgId }) => orgId), some.map(({ id }) => id)]),
      }),
    );
  };
  const job = { name: 'noting used connections', log };
  const flushing = repeat({ ...job, everyMs: FLUSH_MS }, (_stopping, aside) => flush(aside));
  return {
    ...flushing,
    note: ({ orgId, connectionId }) => void used.set(connectionId, orgId),
    stop: async (deadline) => {
      await flushing.stop(deadline);
      await flush(new PutAside(job)).catch(() => undefined);
    },
  };
}
