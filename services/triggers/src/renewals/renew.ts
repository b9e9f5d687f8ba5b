import { type Task } from '@drawbridge/jobs';
import {
  type HookRegistration,
  type TriggerHookServiceDefinition,
} from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Client, describeError, isOutage, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { HOOK_TIME, requireStorable, toHookCall, toHookFailure } from '../hooks/trigger-hooks.js';
import { readSecrets, replaceSecrets, type Vault } from '../secrets/source-secrets.js';
import { isPaused } from '../suspension/pause.js';
import { type WorkspaceStates } from '../suspension/workspace-states.js';
import { findSharing } from '../sources/shared-webhooks.js';
import { backOff } from '../schedule/back-off.js';
import { type Due } from '../schedule/scheduler.js';

const AGAIN_MS = 60_000;

export interface RenewParts {
  db: Db;
  pool: Pool;
  log: Logger;
  hooks: Pick<Client<TriggerHookServiceDefinition>, 'renewHook' | 'disableHook'>;
  vault: Vault;
  states: Pick<WorkspaceStates, 'find'>;
}

const WHERE = "WHERE org_id = $1 AND id = $2 AND status = 'enabled'";
/**
 * Records a renewal, even if a reconnected connection made the source due again meanwhile: the provider has replaced the former subscription. Does not
 * replace the state that another process stored for a later renewal. Compares the text, which is always the output of JSON.stringify, because jsonb
 * cannot represent every state that a provider returns. The next renewal is at least a minute later, even if the provider grants a shorter time.
 */
const RENEWED = {
  name: 'renew-source',
  text: `UPDATE triggers.sources SET state = $3::json, renewal_failures = 0, updated_at = now(),
      renew_at = CASE WHEN $4::timestamptz IS NOT NULL THEN greatest($4, now() + interval '1 minute') END
      ${WHERE} AND state::text IS NOT DISTINCT FROM $5`,
};
const FAILED = {
  name: 'renew-source-later',
  text: `UPDATE triggers.sources SET renewal_failures = renewal_failures + 1, updated_at = now(),
      renew_at = now() + $4::float8 * interval '1 millisecond' ${WHERE} AND renew_at = $3`,
};

/**
 * Returns a task that renews a subscription at the provider before it expires. Stores a new signing secret before it records the renewal. After a
 * crash in between, the renewal is repeated, so the secret of the provider is never lost.
 */
export function renewTask(parts: RenewParts): Task<Due> {
  return async (due, { signal }) => {
    const { id, orgId, at } = due;
    const source = await parts.db.source.findFirst({ where: { id, orgId, status: 'enabled', renewAt: new Date(at) } });
    if (!source || (await isPaused(parts, 'renew', { ...source, at }))) return;
    const renewed = await renew(parts, source, signal).catch((error: unknown) => {
      // Does not change the source if the job was aborted, because another process has taken over the job.
      signal.throwIfAborted();
      return renewLater(parts, source, { due, error });
    });
    if (!renewed) return;
    const { stateJson } = renewed;
    const before = source.state === null ? null : JSON.stringify(source.state);
    const renewAt = renewed.renewAt === undefined ? null : new Date(renewed.renewAt);
    const { rowCount } = await parts.pool.query({ ...RENEWED, values: [orgId, id, stateJson, renewAt, before] });
    if (rowCount === 0) await endIfDisabled(parts, source, renewed);
  };
}

async function renew({ hooks, vault }: RenewParts, source: Source, signal: AbortSignal): Promise<HookRegistration> {
  const secrets = await readSecrets(vault, source);
  const hook = { webhookUrl: source.webhookUrl ?? '', secret: secrets?.hookSecret ?? '' };
  const stateJson = JSON.stringify(source.state);
  const renewed = await hooks.renewHook({ call: toHookCall(source), ...hook, stateJson }, { ...HOOK_TIME, signal });
  requireStorable(renewed);
  if (secrets && renewed.secret !== undefined) {
    await replaceSecrets(vault, source, { ...secrets, providerSecret: renewed.secret });
  }
  return renewed;
}

/** Postpones the renewal by the back-off. Throws if another service of Drawbridge is unavailable, because the provider was then not called. */
async function renewLater(
  { pool, log }: RenewParts,
  { id, orgId, renewalFailures }: Source,
  { due, error }: { due: Due; error: unknown },
): Promise<undefined> {
  if (isOutage(error)) throw error;
  log.warn({ orgId, sourceId: id, error: describeError(error) }, 'a subscription could not be renewed');
  const { retryAfterSeconds } = toHookFailure(error);
  const inMs = backOff({ everyMs: AGAIN_MS, failures: renewalFailures + 1, retryAfterSeconds });
  await pool.query({ ...FAILED, values: [orgId, id, due.at, inMs] });
}

/**
 * Unregisters a subscription that was renewed while its source was disabled. If the source has no deliveries, deletes its secrets, which the renewal
 * may have stored again after they were deleted. Otherwise the secrets remain, because redeliveries are signed with them. Does not unregister a
 * webhook that other sources share.
 */
async function endIfDisabled(
  { db, hooks, vault }: RenewParts,
  source: Source,
  { stateJson, secret = '' }: HookRegistration,
): Promise<void> {
  const { id, orgId } = source;
  const isEnabled = await db.source.findFirst({ where: { id, orgId, status: 'enabled' }, select: { id: true } });
  if (isEnabled) return;
  const delivery = await db.delivery.findFirst({ where: { orgId, sourceId: id }, select: { id: true } });
  if (!delivery) await vault.deleteSourceSecrets({ sourceId: id, orgId });
  if (await findSharing(db, source)) return;
  const request = { call: toHookCall(source), webhookUrl: source.webhookUrl ?? '', secret, stateJson };
  await hooks.disableHook(request, HOOK_TIME);
}
