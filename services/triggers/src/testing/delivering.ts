import { newId } from '@drawbridge/contracts';
import { type OutgoingResponse, type Send } from '@drawbridge/egress';
import { type CircuitBreaker, newWebhookSecret } from '@drawbridge/jobs';
import { type JsonObject } from '@drawbridge/piece-kit';
import { type Pool } from 'pg';
import { type Background } from '@drawbridge/rpc';
import { CallbackWorker, notifyCallbacks } from '../callbacks/callback-worker.js';
import { promote } from '../callbacks/claim-callbacks.js';
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
  open?: (source: { id: string }) => Promise<SourceSecrets>;
  find?: () => Promise<WorkspaceState>;
  pool?: Pool;
  breaker?: CircuitBreaker;
  /** Maximum number of active callbacks of one trigger. */
  most?: number;
}

const started: Background[] = [];

/** Stops the workers and pauses the remaining deliveries of a test, because the workers of other tests would deliver them. */
afterEach(async () => {
  await Promise.all(started.splice(0).map((background) => background.stop(Date.now())));
  await database.pool.query('UPDATE triggers.deliveries SET held = true');
});

/** Creates the callback worker of one process. `task` delivers until the deliveries of an organization no longer change. */
export function newDelivering({ send, open = async () => OPENED, find = async () => 'live', ...more }: Around) {
  const { pool = database.pool, breaker, most = 2 } = more;
  const background = new CallbackWorker({
    ...{ pool, log, wake: () => undefined, breaker },
    egress: { sendFor: () => send },
    secrets: { open, reopen: open },
    states: { find },
    findMost: async () => most,
  });
  return {
    background,
    redelivery: (asked: { id: string; orgId: string }, _job?: object) => background.redeliver(asked),
    async task({ orgId }: { orgId: string }, _job?: object): Promise<void> {
      if (!started.includes(background)) {
        started.push(background);
        await background.start();
      }
      await promote(database.pool, 10_000);
      await notifyCallbacks(database.pool);
      await settled(orgId);
    },
  };
}

const LOOK_MS = 20;
/** The number of looks without a change. It is not a time, because on a slow machine the worker in this process is as slow as the looks. */
const QUIET_LOOKS = 15;

/** Resolves when the deliveries of an organization no longer change. */
async function settled(orgId: string): Promise<void> {
  const state = `SELECT md5(string_agg(concat(id, status, attempt, due_at, is_ready, held), ' ' ORDER BY id)) AS state
    FROM triggers.deliveries WHERE org_id = $1`;
  let before = '';
  for (let quiet = 0; quiet < QUIET_LOOKS; quiet++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const { rows } = await database.pool.query<{ state: string }>(state, [orgId]);
    if (rows[0]!.state !== before) [before, quiet] = [rows[0]!.state, 0];
  }
}

export async function tell(source: Source, many: number, data: JsonObject = { a: 1 }): Promise<void> {
  const events = Array.from({ length: many }, () => ({ id: newId(), data }));
  await recordEvents(database.pool, async () => undefined, tellings(source, events));
}

export const deliveriesOf = ({ orgId, id }: Source): Promise<Delivery[]> =>
  database.db.delivery.findMany({ where: { orgId, sourceId: id }, orderBy: { id: 'asc' } });

/**
 * Makes waiting deliveries due and leases expired, as if time had passed. Subtracts a millisecond, because the column rounds `now()`, possibly to a
 * later time.
 */
export const pass = ({ orgId }: Source): Promise<unknown> =>
  database.pool.query(`UPDATE triggers.deliveries SET due_at = now() - interval '1 ms' WHERE org_id = $1`, [orgId]);

/** Returns a response that arrives when letGo() is called. */
export function hanging(answer: OutgoingResponse = OK) {
  let letGo = (): void => undefined;
  const gone = new Promise<OutgoingResponse>((resolve) => (letGo = () => resolve(answer)));
  return { letGo, gone };
}
