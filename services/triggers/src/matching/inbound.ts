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

const TAKE = {
  name: 'take-inbound',
  text: `SELECT id, source_id AS "sourceId", integration_name AS "integrationName", method, url, headers, body
    FROM triggers.inbound WHERE org_id = $1 AND id = $2`,
};

export async function takeInbound(tx: PoolClient, orgId: string, id: string): Promise<Inbound | undefined> {
  const { rows } = await tx.query<Omit<Inbound, 'orgId' | 'request'> & WebhookRequest>({
    ...TAKE,
    values: [orgId, id],
  });
  const [row] = rows;
  if (!row) return undefined;
  const { method, url, headers, body, ...inbound } = row;
  return { ...inbound, orgId, request: { method, url, headers, body } };
}
