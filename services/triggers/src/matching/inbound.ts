import { NIL_ID } from '@drawbridge/contracts';
import { type WebhookRequest } from '@drawbridge/piece-kit';
import { type PoolClient } from 'pg';

/** A stored request. */
export interface Inbound {
  id: string;
  orgId: string;
  /** Null: it came to the address of the app. */
  sourceId: string | null;
  integrationName: string;
  request: WebhookRequest;
}

/** Limits one batch to little more than the largest single request. */
const MOST = { requests: 100, bytes: 4 * 1_048_576 };

const COLUMNS =
  'id, org_id AS "orgId", source_id AS "sourceId", integration_name AS "integrationName", method, url, headers, body';

/** Takes requests to sources, the oldest first. They are available again if the transaction fails. */
const TAKE = {
  name: 'take-inbound',
  text: `WITH waiting AS MATERIALIZED (
      SELECT id, octet_length(body) AS bytes, sum(octet_length(body)) OVER (ORDER BY id) AS together
      FROM triggers.inbound WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[]) AND source_id IS NOT NULL),
    first AS MATERIALIZED (
      SELECT id FROM waiting WHERE together - bytes < ${MOST.bytes} ORDER BY id LIMIT ${MOST.requests})
    DELETE FROM triggers.inbound WHERE org_id = ANY($1::uuid[]) AND id IN (SELECT id FROM first) RETURNING ${COLUMNS}`,
};
/** The request stays until the last source of the app was processed. */
const READ_OF_APP = {
  name: 'read-inbound-of-app',
  text: `SELECT ${COLUMNS} FROM triggers.inbound WHERE org_id = $1 AND id = $2`,
};
const FORGET = { name: 'forget-inbound', text: 'DELETE FROM triggers.inbound WHERE org_id = $1 AND id = $2' };

type Row = Omit<Inbound, 'request'> & WebhookRequest;

/** Takes some of the wanted requests. Call it again for the others until it returns none. */
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
