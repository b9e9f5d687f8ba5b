import { arrayParameter, arraysOf, columnsOf, type ElementType, together } from '@drawbridge/events';
import { type Noted } from '@drawbridge/jobs';
import { isOutage, keepTrying } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { disableFailing, FAILED_ATTEMPTS } from '../sources/disable-source.js';
import { type OpenDelivery } from './callback.js';

const AT_ONCE = 200;
/**
 * Time during which a write is retried after an outage, and the pause between tries, in milliseconds. The lease of an attempt leaves enough time for
 * it.
 */
const [NOTE_MS, AGAIN_MS] = [5_000, 250];

/** The result of an attempt. The status is `kept` if the trigger has no callback. */
export interface End extends Omit<Noted, 'status'> {
  status: Noted['status'] | 'kept';
  /** Milliseconds until the next attempt. */
  inMs: number;
  /** The response time of the receiver, in milliseconds. Undefined if the receiver was not called. */
  tookMs?: number;
  /** False if no callback was sent, so that the attempt does not count. */
  isSpent: boolean;
}

type Ended = Pick<OpenDelivery, 'id' | 'orgId' | 'attempt'>;

/** The types of the columns of `toColumns` after the first. */
const ENDED: readonly ElementType[] = ['uuid', 'text', 'int', 'text', 'float8', 'boolean', 'int'];

/**
 * Records the results of attempts in their deliveries. In their sources, records the time of the last successful callback (at most once a second), or
 * since when and how often callbacks have failed. Returns the sources that must be disabled because they failed for too long. Does not change a
 * delivery that has already ended. If the lease of an attempt expired and another process repeats it, records only a success. Deletes the payload of
 * a delivered event immediately. The row of the event remains to detect duplicates.
 */
const NOTE = {
  name: 'note-callbacks',
  text: `
    WITH ended AS (
      SELECT * FROM unnest(${arraysOf(ENDED, 2)})
        AS one(id, status, http_status, error_message, in_ms, is_spent, own_attempt)),
    open AS MATERIALIZED (
      SELECT id FROM triggers.deliveries WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[]) AND status IN ('pending', 'retrying')
      ORDER BY id FOR UPDATE),
    noted AS (
      UPDATE triggers.deliveries d SET status = CASE WHEN is_spent THEN ended.status ELSE d.status END,
        http_status = CASE WHEN is_spent THEN ended.http_status ELSE d.http_status END,
        error_message = CASE WHEN is_spent THEN ended.error_message ELSE d.error_message END,
        attempt = CASE WHEN is_spent THEN attempt ELSE attempt - 1 END, tries = CASE WHEN is_spent THEN tries ELSE tries - 1 END,
        due_at = now() + in_ms * interval '1 millisecond', updated_at = now(), in_flight = false,
        delivered_at = CASE WHEN is_spent AND ended.status = 'success' THEN now() ELSE delivered_at END
      FROM ended JOIN open USING (id) WHERE d.org_id = ANY($1::uuid[]) AND d.id = ended.id
        AND (d.attempt = own_attempt OR (is_spent AND ended.status = 'success'))
      RETURNING d.org_id, d.event_id, d.source_id, d.status, is_spent),
    emptied AS (
      UPDATE triggers.events e SET payload = 'null' FROM noted
      WHERE e.org_id = noted.org_id AND e.id = noted.event_id AND is_spent AND noted.status = 'success'),
    verdict AS (
      SELECT source_id, bool_or(status = 'success') AS arrived, count(*)::int AS attempts FROM noted WHERE is_spent AND status <> 'kept' GROUP BY source_id),
    stale AS MATERIALIZED (
      SELECT id, arrived, attempts FROM triggers.sources s JOIN verdict ON s.id = source_id
      WHERE org_id = ANY($1::uuid[]) AND s.status <> 'disabling' AND CASE WHEN arrived
        THEN failing_since IS NOT NULL OR last_delivery_at IS NULL OR last_delivery_at < now() - interval '1 second'
        ELSE failing_since IS NULL OR failed_attempts < ${FAILED_ATTEMPTS} END
      ORDER BY id FOR NO KEY UPDATE OF s),
    told AS (
      UPDATE triggers.sources s SET last_delivery_at = CASE WHEN arrived THEN now() ELSE last_delivery_at END,
        failing_since = CASE WHEN arrived THEN NULL ELSE coalesce(failing_since, now()) END,
        failed_attempts = CASE WHEN arrived THEN 0 WHEN failing_since IS NULL THEN attempts ELSE failed_attempts + attempts END
      FROM stale WHERE org_id = ANY($1::uuid[]) AND s.id = stale.id)
    SELECT id, org_id AS "orgId" FROM triggers.sources JOIN verdict ON id = source_id
    WHERE org_id = ANY($1::uuid[]) AND NOT arrived AND failing_since < now() - interval '5 days'
      AND failed_attempts + attempts >= ${FAILED_ATTEMPTS}`,
};

export type NoteEnd = (delivery: Ended, end: End) => Promise<void>;

interface Ending {
  delivery: Ended;
  end: End;
}

/**
 * Returns a function that records the result of an attempt. Results that arrive during a write are recorded together by the next write. `wake` is
 * called after a source was disabled, because an event must be published.
 */
export function noteEnds({ pool, wake }: { pool: Pool; wake(): void }): NoteEnd {
  const note = together<Ending, void>(AT_ONCE, async (endings) => {
    const { rows } = await pool.query<Pick<Ended, 'id' | 'orgId'>>({ ...NOTE, values: toColumns(endings) });
    for (const source of rows) if (await disableFailing(pool, source)) wake();
    return [];
  });
  return (delivery, end) =>
    keepTrying({ until: performance.now() + NOTE_MS, pauseMs: AGAIN_MS, mayPass: isOutage }, () =>
      note({ delivery, end }),
    );
}

function toColumns(endings: readonly Ending[]): Buffer[] {
  const orgIds = [...new Set(endings.map(({ delivery }) => delivery.orgId))];
  const rows = endings.map(
    ({ delivery: { id, attempt }, end: { status, httpStatus, errorMessage, inMs, isSpent } }) => {
      return [id, status, httpStatus, errorMessage, inMs, isSpent, attempt];
    },
  );
  return [arrayParameter('uuid', orgIds), ...columnsOf(rows, ENDED)];
}
