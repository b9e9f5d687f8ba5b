import { begunDelivery, type Noted, notedDelivery, openDelivery, type Wanted } from '@drawbridge/jobs';
import { type Pool } from 'pg';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type OpenDelivery } from './callback.js';

const FIND = {
  name: 'find-open-delivery',
  text: `SELECT d.id, d.org_id AS "orgId", d.workspace_id AS "workspaceId", e.id AS "eventId", e.payload, e.simulate,
      e.created_at AS "createdAt", s.id AS "sourceId", s.integration_name AS "integrationName",
      s.integration_alias AS "integrationAlias", s.trigger_name AS "triggerName", s.end_user_id AS "endUserId",
      s.callback_url AS "callbackUrl", s.callback_metadata AS "callbackMetadata", s.status AS "sourceStatus"
    FROM triggers.deliveries d JOIN triggers.events e ON e.id = d.event_id LEFT JOIN triggers.sources s ON s.id = d.source_id
    WHERE d.org_id = $1 AND d.id = $2 AND d.status IN ('pending', 'retrying')`,
};
/** With its event and its source, while it is on its way. */
export async function findOpen(pool: Pool, { id, orgId }: Wanted): Promise<OpenDelivery | undefined> {
  const { rows } = await pool.query<OpenDelivery>({ ...FIND, values: [orgId, id] });
  return rows[0];
}

/** Which attempt it is, of all; undefined for what was ended meanwhile. */
export async function beginAttempt(db: Db, wanted: Wanted): Promise<number | undefined> {
  const [begun] = await db.delivery.updateManyAndReturn({ where: openDelivery(wanted), data: begunDelivery() });
  return begun?.attempt;
}

export async function noteEnd(db: Db, wanted: Wanted, noted: Noted): Promise<void> {
  await db.delivery.updateMany({ where: openDelivery(wanted), data: notedDelivery(noted) });
}
