import { JobFailure, type Task } from '@drawbridge/jobs';
import { type TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Client, describeError, isOutage, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { HOOK_TIME, toHookCall } from '../hooks/hook-call.js';
import { toHookFailure } from '../hooks/hook-failure.js';
import { readSecrets, replaceSecrets, type Vault } from '../hooks/source-vault.js';
import { type Due } from '../schedule/scheduler.js';
import { removeSource } from './remove-source.js';

/** At once, after 5 s, 5 min and 30 min: by then the third party tells of what nobody wants any more. */
const MAX_ATTEMPTS = 4;

/** A transaction that records events locks the source until it commits, and may have begun while the source was enabled. */
const WAIT = {
  name: 'wait-for-events-of-source',
  text: 'SELECT FROM triggers.sources WHERE org_id = $1 AND id = $2 FOR UPDATE',
};
const ANY_DELIVERY = {
  name: 'any-delivery-of-source',
  text: 'SELECT FROM triggers.deliveries WHERE org_id = $1 AND source_id = $2 LIMIT 1',
};
/** Its address and its times are of no use any longer. */
const ENDED = {
  name: 'end-source',
  text: `WITH unread AS (DELETE FROM triggers.inbound WHERE org_id = $1 AND source_id = $2)
    UPDATE triggers.sources SET ended_at = coalesce(ended_at, now()), unregister_at = now() + interval '1 day', hook_id = NULL,
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
 * Ends a source that is disabled: at the provider, and then here. Where the provider cannot be told, that is logged, and the source is ended
 * nonetheless. As long as it has deliveries, the source stays with what it takes to redeliver them.
 */
export function unregisterTask(parts: UnregisterParts): Task<Due> {
  return async ({ id, orgId }, { attempt }) => {
    const source = await parts.db.source.findFirst({ where: { id, orgId, status: 'disabling' } });
    if (!source) return;
    if (source.endedAt) return removeOnceEmpty(parts, source);
    try {
      if (isRegistered(source)) await unregister(parts, source);
    } catch (error) {
      if (isOutage(error)) throw error;
      const isLast = attempt >= MAX_ATTEMPTS || !toHookFailure(error).isRetryable || !(await lives(parts.pool, source));
      if (!isLast) throw new JobFailure('The third party did not end a subscription');
      const about = { orgId, sourceId: id, error: describeError(error) };
      parts.log.warn(about, 'a third party was not told that a trigger is disabled; its source is gone nonetheless');
    }
    if (!(await hasDeliveries(parts.pool, source)) || !(await keepForDeliveries(parts, source)))
      await remove(parts, source);
  };
}

/** Looks each day. Nothing adds deliveries to a source that is ended. */
async function removeOnceEmpty(parts: UnregisterParts, source: Source): Promise<void> {
  if (!(await hasDeliveries(parts.pool, source))) return remove(parts, source);
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

/** Keeps what signs redeliveries, and no longer what the provider signs with, or by which connection. False: its workspace is gone. */
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

async function unregister({ hooks, vault }: UnregisterParts, source: Source): Promise<void> {
  const secrets = await readSecrets(vault, source);
  // Nobody was asked before there were secrets.
  if (!secrets && source.state === null) return;
  const hook = { webhookUrl: source.webhookUrl ?? '', secret: secrets?.hookSecret ?? '' };
  const call = toHookCall(source);
  // Who enabled it died before it was written down what was registered: done again it is still one, and says which.
  const { stateJson } =
    source.state === null
      ? await hooks.enableHook({ call, ...hook }, HOOK_TIME)
      : { stateJson: JSON.stringify(source.state) };
  await hooks.disableHook({ call, ...hook, stateJson }, HOOK_TIME);
}

async function lives(pool: Pool, { workspaceId }: Source): Promise<boolean> {
  const { rows } = await pool.query<{ lives: boolean }>({ ...LIVES, values: [workspaceId] });
  return rows[0]?.lives === true;
}
