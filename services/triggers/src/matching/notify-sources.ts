import { type PoolClient } from 'pg';
import { SOON_MS } from '../polling/next-poll.js';

/**
 * Makes sources due for a poll. During a poll it only records the notification, so that another poll follows. After a failed poll, a source still
 * waits for its back-off, and a source of a suspended workspace waits until the workspace is resumed. If the source was enabled with a version of the
 * piece that did not poll, sets the time of its first poll. Rows are locked in the order of their ids, so that two transactions cannot deadlock.
 */
const NOTIFY = {
  name: 'notify-sources',
  text: `
    WITH found AS MATERIALIZED (
      SELECT id FROM triggers.sources WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[]) AND status <> 'disabling'
      ORDER BY id FOR NO KEY UPDATE)
    UPDATE triggers.sources s SET notified_at = now(), poll_at = CASE
        WHEN s.status = 'enabling' OR s.held OR s.failures > 0 OR (s.poll_at = s.leased_until AND s.leased_until > now()) THEN s.poll_at
        ELSE least(s.poll_at, greatest(now(), s.last_polled_at + interval '${SOON_MS} milliseconds')) END
    FROM found WHERE s.org_id = ANY($1::uuid[]) AND s.id = found.id`,
};

/**
 * Makes each source due for a poll after a notification of its provider, at most once in 2 s per source. `sources` maps source ids to organizations.
 */
export async function notifySources(tx: PoolClient, sources: ReadonlyMap<string, string>): Promise<void> {
  if (sources.size === 0) return;
  await tx.query({ ...NOTIFY, values: [[...new Set(sources.values())], [...sources.keys()]] });
}
