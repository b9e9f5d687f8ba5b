import { NIL_ID } from '@drawbridge/contracts';
import { type WebhookRequest } from '@drawbridge/piece-kit';
import { type PoolClient } from 'pg';

/** What was stored of a request. */
export interface Inbound {
  id: string;
  orgId: string;
  /** Null: it came to the address of the app. */
  sourceId: string | null;
  integrationName: string;
  request: WebhookRequest;
}

/** Taken at once: together not much larger than one may be. */
const MOST = { requests: 100, bytes: 4 * 1_048_576 };

const COLUMNS =
  'id, org_id AS "orgId", source_id AS "sourceId", integration_name AS "integrationName", method, url, headers, body';

/** Of sources, the oldest first: they are there again where the transaction fails. */
const TAKE = {
  name: 'take-inbound',
  text: `WITH waiting AS MATERIALIZED (
      SELECT id, octet_length(body) AS bytes, sum(octet_length(body)) OVER (ORDER BY id) AS together
      FROM triggers.inbound WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[]) AND source_id IS NOT NULL),
    first AS MATERIALIZED (
      SELECT id FROM waiting WHERE together - bytes < ${MOST.bytes} ORDER BY id LIMIT ${MOST.requests})
    DELETE FROM triggers.inbound WHERE org_id = ANY($1::uuid[]) AND id IN (SELECT id FROM first) RETURNING ${COLUMNS}`,
};
/** It stays until the last of whoever hears of the app was told. */
const READ_OF_APP = {
  name: 'read-inbound-of-app',
  text: `SELECT ${COLUMNS} FROM triggers.inbound WHERE org_id = $1 AND id = $2`,
};
const FORGET = { name: 'forget-inbound', text: 'DELETE FROM triggers.inbound WHERE org_id = $1 AND id = $2' };

type Row = Omit<Inbound, 'request'> & WebhookRequest;

/** Of these, some: whoever asks on gets the others, and in the end none. */
export async function takeInbound(tx: PoolClient, wanted: { orgIds: string[]; ids: string[] }): Promise<Inbound[]> {
  const { rows } = await tx.query<Row>({ ...TAKE, values: [wanted.orgIds, wanted.ids] });
  return rows.map(toInbound).sort((one, other) => (one.id < other.id ? -1 : 1));
}

export async function readOfApp(tx: PoolClient, id: string): Promise<Inbound | undefined> {
  const { rows } = await tx.query<Row>({ ...READ_OF_APP, values: [NIL_ID, id] });
  return rows[0] && toInbound(rows[0]);
}

/** Of an app, in the end. */
export async function forgetInbound(tx: PoolClient, { orgId, id }: Inbound): Promise<void> {
  await tx.query({ ...FORGET, values: [orgId, id] });
}

function toInbound({ method, url, headers, body, ...inbound }: Row): Inbound {
  return { ...inbound, request: { method, url, headers, body } };
}
