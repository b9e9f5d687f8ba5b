import { NIL_ID, newId } from '@drawbridge/contracts';
import { eventValues, insertEvent, newEvent } from '@drawbridge/events';
import { type WebhookRequest } from '@drawbridge/piece-kit';
import { type Pool } from 'pg';

const COLUMNS = 'id, org_id, source_id, integration_name, method, url, headers, body';

/** What was sent and that it was are one commit: from here on it is delivered, whatever dies. */
const FOR_SOURCE = {
  name: 'store-inbound',
  text: `WITH stored AS (
      INSERT INTO triggers.inbound (${COLUMNS})
      SELECT $3::uuid, org_id, id, integration_name, $4, $5, $6::json, $7::bytea FROM triggers.sources
      WHERE org_id = $1::uuid AND id = $2::uuid AND status <> 'disabling' RETURNING 1)
    ${insertEvent('triggers', { first: 8, from: 'stored' })}`,
};
/** Whose it is says only the request itself. */
const FOR_APP = {
  name: 'store-inbound-of-app',
  text: `WITH stored AS (
      INSERT INTO triggers.inbound (${COLUMNS})
      VALUES ($3::uuid, $1::uuid, NULL, $2, $4, $5, $6::json, $7::bytea) RETURNING 1)
    ${insertEvent('triggers', { first: 8, from: 'stored' })}`,
};

/** False where the source is being disabled, or gone. */
export function storeForSource(
  pool: Pool,
  { id, orgId }: { id: string; orgId: string },
  request: WebhookRequest,
): Promise<boolean> {
  return store(pool, FOR_SOURCE, { orgId, owner: id, request });
}

export function storeForApp(pool: Pool, integrationName: string, request: WebhookRequest): Promise<boolean> {
  return store(pool, FOR_APP, { orgId: NIL_ID, owner: integrationName, request });
}

interface Stored {
  orgId: string;
  owner: string;
  request: WebhookRequest;
}

async function store(pool: Pool, statement: typeof FOR_APP, { orgId, owner, request }: Stored): Promise<boolean> {
  const { method, url, headers, body } = request;
  const id = newId();
  const event = newEvent({ $case: 'triggerReceived', value: { inboundId: id } }, { orgId });
  const sent = [method, url, JSON.stringify(headers), Buffer.from(body)];
  const { rowCount } = await pool.query({ ...statement, values: [orgId, owner, id, ...sent, ...eventValues(event)] });
  return rowCount === 1;
}
