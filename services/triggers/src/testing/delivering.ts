import { newId } from '@drawbridge/contracts';
import { type OutgoingResponse, type Send } from '@drawbridge/egress';
import { newWebhookSecret } from '@drawbridge/jobs';
import { type JsonObject } from '@drawbridge/piece-kit';
import { type Pool } from 'pg';
import { callbacks } from '../callbacks/callbacks.js';
import { type Hangs } from '../callbacks/hangs.js';
import { type EnqueueCallbacks } from '../callbacks/next-due.js';
import { recordEvents, tellings } from '../events/record-events.js';
import { type Delivery, type Source } from '../gen/prisma/client.js';
import { type SourceSecrets } from '../secrets/source-secrets.js';
import { type WorkspaceState } from '../suspension/workspace-states.js';
import { SECRETS } from './memory-vault.js';
import { database, log } from './sources.js';

export const OK = { status: 200, headers: {} } as OutgoingResponse;
export const OPENED: SourceSecrets = { ...SECRETS, signingSecret: newWebhookSecret() };

interface Around {
  send: Send;
  open?: () => Promise<SourceSecrets>;
  find?: () => Promise<WorkspaceState>;
  enqueue?: EnqueueCallbacks;
  pool?: Pool;
  hangs?: Hangs;
  /** Callbacks in flight of one trigger. */
  most?: number;
}

/** Creates the callbacks worker of one process. */
export function newDelivering({ send, open = async () => OPENED, find = async () => 'live', ...more }: Around) {
  const { enqueue = async () => undefined, pool = database.pool, hangs, most = 2 } = more;
  return callbacks({
    ...{ pool, log, wake: () => undefined, enqueue, hangs },
    egress: { sendFor: () => send },
    secrets: { open, reopen: open },
    states: { find },
    findMost: async () => most,
  });
}

export async function tell(source: Source, many: number, data: JsonObject = { a: 1 }): Promise<void> {
  const events = Array.from({ length: many }, () => ({ id: newId(), data }));
  await recordEvents(database.pool, async () => undefined, tellings(source, events));
}

export const deliveriesOf = ({ orgId, id }: Source): Promise<Delivery[]> =>
  database.db.delivery.findMany({ where: { orgId, sourceId: id }, orderBy: { id: 'asc' } });

/** Makes waiting deliveries due and leases expired: a millisecond ago, because the column rounds `now()` up. */
export const pass = ({ orgId }: Source): Promise<unknown> =>
  database.pool.query(`UPDATE triggers.deliveries SET due_at = now() - interval '1 ms' WHERE org_id = $1`, [orgId]);

/** A response that arrives when letGo() is called. */
export function hanging(answer: OutgoingResponse = OK) {
  let letGo = (): void => undefined;
  const gone = new Promise<OutgoingResponse>((resolve) => (letGo = () => resolve(answer)));
  return { letGo, gone };
}
