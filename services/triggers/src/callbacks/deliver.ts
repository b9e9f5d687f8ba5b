import { type Egress } from '@drawbridge/egress';
import {
  attemptDelivery,
  deliverWebhook,
  type DeliveryResult,
  type Noted,
  signWebhook,
  type Task,
  type Wanted,
} from '@drawbridge/jobs';
import { type Pool } from 'pg';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type OpenedSecrets } from '../secrets/opened-secrets.js';
import { holdDelivery } from '../suspension/hold.js';
import { type WorkspaceStates } from '../suspension/workspace-states.js';
import { bodyOf, headersOf, type OpenDelivery } from './callback.js';
import { beginAttempt, findOpen, noteEnd } from './delivery-rows.js';
import { noteOfSource } from './note-of-source.js';

export interface CallbackParts {
  db: Db;
  pool: Pool;
  egress: Pick<Egress, 'sendFor'>;
  secrets: OpenedSecrets;
  states: Pick<WorkspaceStates, 'find'>;
  /** Says that an event was written. */
  wake(): void;
}

/** One attempt, noted before and after. A delivery that is over is passed over, and one in a suspended workspace is held. */
export function callbackTask(parts: CallbackParts): Task<Wanted> {
  return async (wanted, { attempt }) => {
    const open = await findOpen(parts.pool, wanted);
    if (!open) return;
    const state = await parts.states.find(open);
    if (state === 'suspended') return holdDelivery(parts.pool, open);
    if (state === 'gone' || open.sourceStatus === null || open.sourceStatus === 'disabling') {
      const errorMessage = 'The trigger was disabled before this was delivered';
      return noteEnd(parts.db, open, { status: 'failed', httpStatus: null, errorMessage });
    }
    await attemptDelivery({ attempt, send: () => send(parts, open), note: (noted) => note(parts, open, noted) });
  };
}

/** Opened and signed first: who can not sign has made no attempt. Undefined for what was ended meanwhile. */
async function send({ db, egress, secrets }: CallbackParts, open: OpenDelivery): Promise<DeliveryResult | undefined> {
  const { orgId, eventId, sourceId, callbackUrl: url } = open;
  const opened = await secrets.open({ id: sourceId, orgId });
  const body = bodyOf(open);
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = signWebhook({ id: eventId, timestamp, body, secrets: [opened.signingSecret] });
  const attempt = await beginAttempt(db, open);
  if (attempt === undefined) return undefined;
  return deliverWebhook({
    send: egress.sendFor(orgId),
    url,
    body,
    headers: headersOf(open, attempt, opened),
    signature,
  });
}

/** Of the delivery first: its end is what its reader waits for. */
async function note({ db, pool, wake }: CallbackParts, open: OpenDelivery, noted: Noted): Promise<void> {
  await noteEnd(db, open, noted);
  if (await noteOfSource(pool, open, noted.status === 'success')) wake();
}
