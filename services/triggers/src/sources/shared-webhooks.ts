import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, requireCount } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type Trigger } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Prisma, type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { readSecrets, type Vault } from '../secrets/source-secrets.js';

/** Maximum number of triggers that share one webhook, because each request to it is stored once for each trigger. */
const MAX_SHARING = 50;
/** Time, in milliseconds, for which a trigger that joins a webhook waits for the secret of the trigger that creates the webhook. */
const SECRET_MS = 5_000;
const LOOK_MS = 100;

type Place = Pick<Source, 'orgId' | 'integrationName'> & { connectionId?: string | null };

export function sharesWebhook(trigger: Trigger | undefined): boolean {
  return trigger?.kind === 'webhook' && trigger.sharesWebhook === true;
}

/**
 * Returns a filter for the sources that share the webhook of a connection. Returns undefined without a connection or a sharing trigger, because
 * nothing is shared then.
 */
function sharing({ orgId, integrationName, connectionId }: Place): Prisma.SourceWhereInput | undefined {
  const { triggers = {} } = findPiece(integrationName) ?? {};
  const names = Object.keys(triggers).filter((name) => sharesWebhook(triggers[name]));
  if (!connectionId || names.length === 0) return undefined;
  const live = { simulate: false, status: { in: ['enabling', 'enabled'] } };
  return { orgId, integrationName, connectionId, triggerName: { in: names }, hookId: { not: null }, ...live };
}

/** The address of an existing webhook, and the ids of the sources that have its secret. */
export interface Joined {
  address: Pick<Source, 'hookId' | 'webhookUrl'>;
  ids: string[];
}

/**
 * Finds the webhook of a connection, so that a new source joins it. Locks the webhook, so that concurrent transactions do not create two webhooks or
 * exceed the limit. Returns undefined if none exists. Throws VALIDATION_ERROR if too many sources share it.
 */
export async function findShared(tx: Prisma.TransactionClient, place: Place): Promise<Joined | undefined> {
  const where = sharing(place);
  if (!where) return undefined;
  await lock(tx, `webhook of ${place.integrationName} for ${place.connectionId}`);
  const known = await tx.source.findMany({ where, orderBy: { createdAt: 'asc' }, take: MAX_SHARING });
  const what = `triggers of ${place.integrationName}`;
  requireCount({ field: 'triggerName', owner: 'a connection', what, used: known.length + 1, most: MAX_SHARING });
  const [first] = known;
  return first && { address: first, ids: known.filter(({ hookId }) => hookId === first.hookId).map(({ id }) => id) };
}

/** Returns the secret of a shared webhook. Throws UNAVAILABLE if the process that creates the webhook has not stored it in time. */
export async function sharedSecret(vault: Vault, orgId: string, { ids }: Joined): Promise<string> {
  for (const until = performance.now() + SECRET_MS; ; await sleep(LOOK_MS)) {
    for (const id of ids) {
      const known = await readSecrets(vault, { id, orgId });
      // Skips an empty secret, which belongs to a source that was unregistered in the meantime: all requests would be rejected with it.
      if (known?.hookSecret) return known.hookSecret;
    }
    if (performance.now() > until) {
      throw new ApiError('UNAVAILABLE', 'Another trigger of this connection is being enabled; try again in a minute');
    }
  }
}

/** Returns another source that shares the webhook of this source. Returns undefined or null if the webhook can be removed. */
export async function findSharing(db: Db, source: Source): Promise<Source | null> {
  const where = sharing(source);
  return where
    ? db.source.findFirst({ where: { ...where, id: { not: source.id } }, orderBy: { createdAt: 'asc' } })
    : null;
}
