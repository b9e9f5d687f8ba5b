import { JobFailure, type Task } from '@drawbridge/jobs';
import { type TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Client, describeError, isOutage, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { HOOK_TIME, toHookCall, toHookFailure } from '../hooks/trigger-hooks.js';
import { readSecrets, replaceSecrets, type Vault } from '../secrets/source-secrets.js';
import { type Due } from '../schedule/scheduler.js';
import { findSharing } from './shared-webhooks.js';

/**
 * Maximum number of attempts: immediately, and after 5 s, 5 min and 30 min. After the last attempt the provider continues to send events, which are
 * rejected.
 */
const MAX_ATTEMPTS = 4;

/** Waits for transactions that record events of the source. They lock its row until they commit, and may have started before it was disabled. */
const WAIT = {
  name: 'wait-for-events-of-source',
  text: 'SELECT FROM triggers.sources WHERE org_id = $1 AND id = $2 FOR UPDATE',
};
/** Finds a delivery, or a request that will still become a delivery, because it was stored before the source was disabled. */
const ANY_DELIVERY = {
  name: 'any-delivery-of-source',
  text: `SELECT FROM (SELECT FROM triggers.deliveries WHERE org_id = $1 AND source_id = $2
    UNION ALL SELECT FROM triggers.inbound WHERE org_id = $1 AND source_id = $2) AS stored LIMIT 1`,
};
/** Marks a source as ended. Clears its address and schedule, which it no longer needs. */
const ENDED = {
  name: 'end-source',
  text: `UPDATE triggers.sources SET ended_at = coalesce(ended_at, now()), unregister_at = now() + interval '1 day', hook_id = NULL,
      poll_at = NULL, renew_at = NULL, updated_at = now() WHERE org_id = $1 AND id = $2 AND status = 'disabling'`,
};
const LIVES = { name: 'trigger-workspace-lives', text: 'SELECT triggers.workspace_lives($1::uuid) AS lives' };

export interface UnregisterParts {
  db: Db;
  pool: Pool;
  log: Logger;
  hooks: Pick<Client<TriggerHookServiceDefinition>, 'enableHook' | 'disableHook'>;
  vault: Vault;
}

/**
 * Returns a task that unregisters a disabled source at the provider, and then ends it. If unregistering fails finally, logs this and ends the source
 * anyway. While deliveries exist, the source retains the data that redeliveries need.
 */
export function unregisterTask(parts: UnregisterParts): Task<Due> {
  return async ({ id, orgId }, { attempt, signal }) => {
    const source = await parts.db.source.findFirst({ where: { id, orgId, status: 'disabling' } });
    if (!source) return;
    if (source.endedAt) return removeOnceEmpty(parts, source);
    try {
      if (isRegistered(source)) await unregisterUnlessShared(parts, source, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isOutage(error)) throw error;
      const isLast = attempt >= MAX_ATTEMPTS || !toHookFailure(error).isRetryable || !(await lives(parts.pool, source));
      if (!isLast) throw new JobFailure('The provider did not end the subscription');
      const about = { orgId, sourceId: id, error: describeError(error) };
      parts.log.warn(about, 'the subscription of a disabled trigger could not be ended at its provider');
    }
    if (!(await hasDeliveries(parts.pool, source)) || !(await keepForDeliveries(parts, source)))
      await remove(parts, source);
  };
}

/**
 * Deletes an ended source when it has no deliveries any more, which is checked each day. It gets no new deliveries. A source without a callback is
 * deleted with its events after the first day, because they cannot be redelivered.
 */
async function removeOnceEmpty(parts: UnregisterParts, source: Source): Promise<void> {
  if (!(await hasDeliveries(parts.pool, source)) || source.callbackUrl === null) return remove(parts, source);
  await parts.pool.query({ ...ENDED, values: [source.orgId, source.id] });
}

async function remove({ vault, pool }: UnregisterParts, source: Source): Promise<void> {
  await vault.deleteSourceSecrets({ sourceId: source.id, orgId: source.orgId });
  await removeSource(pool, source);
}

async function hasDeliveries(pool: Pool, { orgId, id }: Source): Promise<boolean> {
  const values = [orgId, id];
  await pool.query({ ...WAIT, values });
  const { rowCount } = await pool.query({ ...ANY_DELIVERY, values });
  return rowCount === 1;
}

/**
 * Ends a source but retains the secrets that redeliveries need. Removes the secrets of the webhook and the link to the connection. Returns false if
 * the workspace was deleted.
 */
async function keepForDeliveries({ vault, pool }: UnregisterParts, source: Source): Promise<boolean> {
  const { id, orgId } = source;
  const secrets = await readSecrets(vault, source);
  if (!(await lives(pool, source))) return false;
  if (secrets) {
    const { callbackHeaders, signingSecret } = secrets;
    const kept = { callbackHeaders, signingSecret, hookSecret: '' };
    await replaceSecrets(vault, { ...source, connectionId: null }, kept);
  }
  await pool.query({ ...ENDED, values: [orgId, id] });
  return true;
}

const isRegistered = ({ triggerType, simulate }: Source): boolean => triggerType === 'WEBHOOK' && !simulate;

/** Maximum number of times that the unregistration is repeated because other sources were enabled or disabled in the meantime. */
const MAX_ROUNDS = 5;

/**
 * Unregisters a source unless other sources share its webhook. In that case, registers the webhook again for one of them, because a concurrent task
 * may have unregistered the webhook after that source was registered.
 */
async function unregisterUnlessShared(parts: UnregisterParts, source: Source, signal: AbortSignal): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const sharing = await findSharing(parts.db, source);
    if (sharing) await registerAgain(parts, sharing, signal);
    else await unregister(parts, source, signal);
    const now = await findSharing(parts.db, source);
    if (now?.id === sharing?.id) return;
  }
  throw new JobFailure('Triggers of the same connection are enabled and disabled too often');
}

async function registerAgain({ hooks, vault }: UnregisterParts, source: Source, signal: AbortSignal): Promise<void> {
  const secrets = await readSecrets(vault, source);
  // Retries later if the other trigger is still being enabled. It may fail before it is registered, and only then must the webhook be removed.
  if (!secrets) throw new JobFailure('Another trigger of the connection is being enabled');
  const hook = { webhookUrl: source.webhookUrl ?? '', secret: secrets.hookSecret };
  await hooks.enableHook({ call: toHookCall(source), ...hook }, { ...HOOK_TIME, signal });
}

async function unregister({ hooks, vault }: UnregisterParts, source: Source, signal: AbortSignal): Promise<void> {
  const secrets = await readSecrets(vault, source);
  // Nothing is registered, because secrets are always stored before the provider is called.
  if (!secrets && source.state === null) return;
  const hook = { webhookUrl: source.webhookUrl ?? '', secret: secrets?.hookSecret ?? '' };
  const [call, options] = [toHookCall(source), { ...HOOK_TIME, signal }];
  // Without a stored state, the process that enabled the source exited before it stored the registration. Enabling again returns the state of the
  // registration without registering twice.
  const { stateJson } =
    source.state === null
      ? await hooks.enableHook({ call, ...hook }, options)
      : { stateJson: JSON.stringify(source.state) };
  await hooks.disableHook({ call, ...hook, stateJson }, options);
}

async function lives(pool: Pool, { workspaceId }: Source): Promise<boolean> {
  const { rows } = await pool.query<{ lives: boolean }>({ ...LIVES, values: [workspaceId] });
  return rows[0]?.lives === true;
}

const BATCH = 500;

/** Deletes the rows of a source, which must happen before the source is deleted, because they can only be found through it. */
const REST = ['deliveries', 'events', 'inbound'].map((table) => ({
  name: `remove-source-${table}`,
  text: `DELETE FROM triggers.${table} WHERE id IN (
    SELECT id FROM triggers.${table} WHERE org_id = $1 AND source_id = $2 LIMIT ${BATCH})`,
}));
const SOURCE = {
  name: 'remove-source',
  text: "DELETE FROM triggers.sources WHERE org_id = $1 AND id = $2 AND status = 'disabling'",
};

/** Deletes a disabled source and all its rows, in batches. After an interruption, another call continues. */
async function removeSource(pool: Pool, { orgId, id }: Pick<Source, 'orgId' | 'id'>): Promise<void> {
  const values = [orgId, id];
  await removeRest(pool, values);
  await pool.query({ ...SOURCE, values });
  // Deletes rows again, because a transaction that recorded events may have committed just before the source was deleted.
  await removeRest(pool, values);
}

async function removeRest(pool: Pool, values: string[]): Promise<void> {
  for (const statement of REST) {
    while (((await pool.query({ ...statement, values })).rowCount ?? 0) === BATCH);
  }
}
