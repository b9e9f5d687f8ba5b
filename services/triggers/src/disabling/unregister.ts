import { JobFailure, type Task } from '@drawbridge/jobs';
import { type TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Client, describeError, isOutage, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { HOOK_TIME, toHookCall } from '../hooks/hook-call.js';
import { toHookFailure } from '../hooks/hook-failure.js';
import { readSecrets, type Vault } from '../hooks/source-vault.js';
import { type Due } from '../schedule/scheduler.js';
import { removeSource } from './remove-source.js';

/** At once, after 5 s, 5 min and 30 min: by then the third party tells of what nobody wants any more. */
const MAX_ATTEMPTS = 4;

const LIVES = { name: 'trigger-workspace-lives', text: 'SELECT triggers.workspace_lives($1::uuid) AS lives' };

export interface UnregisterParts {
  db: Db;
  pool: Pool;
  log: Logger;
  hooks: Pick<Client<TriggerHookServiceDefinition>, 'enableHook' | 'disableHook'>;
  vault: Vault;
}

/**
 * Ends a source that is disabled: at the third party, and then all that is kept of it. Where the third party does not hear of it, that is
 * logged, and the source is gone nonetheless.
 */
export function unregisterTask(parts: UnregisterParts): Task<Due> {
  return async ({ id, orgId }, { attempt }) => {
    const source = await parts.db.source.findFirst({ where: { id, orgId, status: 'disabling' } });
    if (!source) return;
    try {
      if (isRegistered(source)) await unregister(parts, source);
    } catch (error) {
      if (isOutage(error)) throw error;
      const isLast = attempt >= MAX_ATTEMPTS || !toHookFailure(error).isRetryable || !(await lives(parts.pool, source));
      if (!isLast) throw new JobFailure('The third party did not end a subscription');
      const about = { orgId, sourceId: id, error: describeError(error) };
      parts.log.warn(about, 'a third party was not told that a trigger is disabled; its source is gone nonetheless');
    }
    await parts.vault.deleteSourceSecrets({ sourceId: id, orgId });
    await removeSource(parts.pool, source);
  };
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
