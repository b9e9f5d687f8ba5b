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

const COLUMNS = 'id, source_id AS "sourceId", integration_name AS "integrationName", method, url, headers, body';
const ITS = 'triggers.inbound WHERE org_id = $1 AND id = $2';

/** Of one source: it is there again where the transaction fails. */
const TAKE = { name: 'take-inbound', text: `DELETE FROM ${ITS} RETURNING ${COLUMNS}` };
/** It stays until the last of whoever hears of the app was told. */
const READ_OF_APP = { name: 'read-inbound-of-app', text: `SELECT ${COLUMNS} FROM ${ITS}` };
const FORGET = { name: 'forget-inbound', text: `DELETE FROM ${ITS}` };

export async function takeInbound(tx: PoolClient, orgId: string, id: string): Promise<Inbound | undefined> {
  const { rows } = await tx.query<Omit<Inbound, 'orgId' | 'request'> & WebhookRequest>({
    ...(orgId === NIL_ID ? READ_OF_APP : TAKE),
    values: [orgId, id],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { method, url, headers, body, ...inbound } = row;
  return { ...inbound, orgId, request: { method, url, headers, body } };
}

/** Of an app, in the end. */
export async function forgetInbound(tx: PoolClient, { orgId, id, sourceId }: Inbound): Promise<void> {
  if (sourceId === null) await tx.query({ ...FORGET, values: [orgId, id] });
}
