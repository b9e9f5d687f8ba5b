import { newId, NIL_ID } from '@drawbridge/contracts';
import {
  arraysOf,
  columnsOf,
  type ElementType,
  eventValues,
  insertEvent,
  newEvent,
  type NewEvent,
  together,
} from '@drawbridge/events';
import { type WebhookRequest } from '@drawbridge/piece-kit';
import { requireInTime } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';

const STORED_COLUMNS = 'id, org_id, source_id, integration_name, method, url, headers, body';
/** Small requests, up to this size in bytes, that arrive at the same time are stored in one statement. Larger requests are stored separately. */
const SMALL = { bytes: 65_536, atOnce: 50 };

/** The types of the columns of `toColumns`. */
const SENT: readonly ElementType[] = [
  ...(['uuid', 'uuid', 'uuid', 'text', 'text', 'text', 'bytea'] as const),
  ...(['uuid', 'text', 'bytea'] as const),
];
/** Stores requests and an event for each in one transaction, so that they are processed even after a crash. */
const FOR_SOURCES = {
  name: 'store-inbound',
  text: `
    WITH sent AS MATERIALIZED (
      SELECT * FROM unnest(${arraysOf(SENT)})
        AS one(id, org_id, source_id, method, url, headers, body, event_id, type, envelope)),
    stored AS (
      INSERT INTO triggers.inbound (${STORED_COLUMNS})
      SELECT sent.id, s.org_id, s.id, s.integration_name, sent.method, sent.url, sent.headers::json, sent.body
      FROM sent JOIN triggers.sources s ON s.id = sent.source_id AND s.org_id = sent.org_id
      WHERE s.org_id = ANY($2::uuid[]) AND s.id = ANY($3::uuid[]) AND s.status <> 'disabling' RETURNING id),
    told AS (
      INSERT INTO triggers.outbox (id, type, org_id, envelope)
      SELECT event_id, type, org_id, envelope FROM sent JOIN stored USING (id))
    SELECT id FROM stored`,
};
/** Stores a request to an app. Its sources are determined later from the request. */
const FOR_APP = {
  name: 'store-inbound-of-app',
  text: `WITH stored AS (
      INSERT INTO triggers.inbound (${STORED_COLUMNS})
      VALUES ($3::uuid, $1::uuid, NULL, $2, $4, $5, $6::json, $7::bytea) RETURNING 1)
    ${insertEvent('triggers', { first: 8, from: 'stored' })}`,
};

interface Sent {
  id: string;
  orgId: string;
  sourceId: string;
  request: WebhookRequest;
  event: NewEvent;
}

/** Returns a function that stores a request for a source, and returns false if the source is being disabled or was deleted. */
export function storeForSource(pool: Pool) {
  const storeAll = async (sent: readonly Sent[]): Promise<boolean[]> => {
    const { rows } = await pool.query<{ id: string }>({ ...FOR_SOURCES, values: toColumns(sent) });
    const stored = new Set(rows.map(({ id }) => id));
    return sent.map(({ id }) => stored.has(id));
  };
  const storeSmall = together(SMALL.atOnce, storeAll);
  return async ({ id: sourceId, orgId }: { id: string; orgId: string }, request: WebhookRequest): Promise<boolean> => {
    requireInTime();
    const sent = { ...toSent(orgId), sourceId, request };
    return request.body.length <= SMALL.bytes ? storeSmall(sent) : (await storeAll([sent]))[0]!;
  };
}

/**
 * Returns a function that stores a request for each of the sources that share a webhook, and returns false if all of them are disabled. Small
 * requests are stored in one statement. Large requests are stored one after another, so that one webhook does not occupy all database connections of
 * the process.
 */
export function storeForSources(pool: Pool) {
  const store = storeForSource(pool);
  return async (sources: readonly { id: string; orgId: string }[], request: WebhookRequest): Promise<boolean> => {
    const stored: (boolean | Promise<boolean>)[] = [];
    for (const source of sources) {
      const storing = store(source, request);
      stored.push(request.body.length <= SMALL.bytes ? storing : await storing);
    }
    return (await Promise.all(stored)).includes(true);
  };
}

export async function storeForApp(pool: Pool, integrationName: string, request: WebhookRequest): Promise<boolean> {
  requireInTime();
  const { method, url, headers, body } = request;
  const { id, orgId, event } = toSent(NIL_ID);
  const values = [orgId, integrationName, id, method, url, JSON.stringify(headers), Buffer.from(body)];
  const { rowCount } = await pool.query({ ...FOR_APP, values: [...values, ...eventValues(event)] });
  return rowCount === 1;
}

function toSent(orgId: string): Pick<Sent, 'id' | 'orgId' | 'event'> {
  const id = newId();
  return { id, orgId, event: newEvent({ $case: 'triggerReceived', value: { inboundId: id } }, { orgId }) };
}

function toColumns(sent: readonly Sent[]): Buffer[] {
  const rows = sent.map(({ id, orgId, sourceId, request: { method, url, headers, body }, event }) => [
    ...[id, orgId, sourceId, method, url, JSON.stringify(headers), body],
    ...[event.id, event.type, event.envelope],
  ]);
  return columnsOf(rows, SENT);
}

/** A stored request. */
export interface Inbound {
  id: string;
  orgId: string;
  /** Null if the request was sent to the address of an app. */
  sourceId: string | null;
  integrationName: string;
  request: WebhookRequest;
}

/** Maximum number of requests in one batch, and the size in bytes above which no further request is added. Limits the memory and time of a batch. */
const MOST = { requests: 100, bytes: 4 * 1_048_576 };

const READ_COLUMNS =
  'id, org_id AS "orgId", source_id AS "sourceId", integration_name AS "integrationName", method, url, headers, body';

/**
 * Takes requests to sources by deleting them. They are available again if the transaction fails. Organizations take turns, and so do the sources of
 * an organization, so that large requests of one do not delay the others. In each turn the smallest requests are first. The requests of one source
 * stay in order.
 */
const TAKE = {
  name: 'take-inbound',
  text: `WITH waiting AS MATERIALIZED (
      SELECT id, org_id, octet_length(body) AS bytes, row_number() OVER (PARTITION BY source_id ORDER BY id) AS of_source
      FROM triggers.inbound WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[]) AND source_id IS NOT NULL),
    turns AS MATERIALIZED (
      SELECT id, bytes, row_number() OVER (PARTITION BY org_id ORDER BY of_source, bytes, id) AS turn FROM waiting),
    sized AS MATERIALIZED (SELECT id, turn, bytes, sum(bytes) OVER (ORDER BY turn, bytes, id) AS together FROM turns),
    first AS MATERIALIZED (
      SELECT id FROM sized WHERE together - bytes < ${MOST.bytes} ORDER BY turn, bytes, id LIMIT ${MOST.requests})
    DELETE FROM triggers.inbound WHERE org_id = ANY($1::uuid[]) AND id IN (SELECT id FROM first) RETURNING ${READ_COLUMNS}`,
};
/** Reads a request to an app. The request is stored until the last source of the app was processed. */
const READ_OF_APP = {
  name: 'read-inbound-of-app',
  text: `SELECT ${READ_COLUMNS} FROM triggers.inbound WHERE org_id = $1 AND id = $2`,
};
const FORGET = { name: 'forget-inbound', text: 'DELETE FROM triggers.inbound WHERE org_id = $1 AND id = $2' };

type Row = Omit<Inbound, 'request'> & WebhookRequest;

/** Takes some of the requests with these ids. Must be called again until it returns none. */
export async function takeInbound(tx: PoolClient, wanted: { orgIds: string[]; ids: string[] }): Promise<Inbound[]> {
  const { rows } = await tx.query<Row>({ ...TAKE, values: [wanted.orgIds, wanted.ids] });
  return rows.map(toInbound).sort((one, other) => (one.id < other.id ? -1 : 1));
}

export async function readOfApp(tx: PoolClient, id: string): Promise<Inbound | undefined> {
  const { rows } = await tx.query<Row>({ ...READ_OF_APP, values: [NIL_ID, id] });
  return rows[0] && toInbound(rows[0]);
}

/** Deletes a request to an app after its last source was processed. */
export async function forgetInbound(tx: PoolClient, { orgId, id }: Inbound): Promise<void> {
  await tx.query({ ...FORGET, values: [orgId, id] });
}

function toInbound({ method, url, headers, body, ...inbound }: Row): Inbound {
  return { ...inbound, request: { method, url, headers, body } };
}
