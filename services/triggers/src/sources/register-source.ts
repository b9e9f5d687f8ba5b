import { ApiError } from '@drawbridge/contracts';
import { type JsonObject } from '@drawbridge/piece-kit';
import { describeError } from '@drawbridge/rpc';
import { recordEvents, tellings } from '../events/record-events.js';
import { type Prisma, type Source } from '../gen/prisma/client.js';
import {
  HOOK_TIME,
  requireStorable,
  requireStorableText,
  toHookCall,
  toHookFailure,
  unfit,
} from '../hooks/trigger-hooks.js';
import { replaceSecrets, type SourceSecrets } from '../secrets/source-secrets.js';
import { nextPoll } from '../polling/next-poll.js';
import { NOTIFIED_MINUTES } from '../polling/poll.js';
import { type Begun, type SourceParts, type Wanted } from './create-source.js';
import { sharedSecret, sharesWebhook } from './shared-webhooks.js';

/** Registers a source and lists it. A failure leaves nothing behind, neither here nor at the provider. Throws the same errors as `register`. */
export async function complete(parts: SourceParts, wanted: Wanted, begun: Begun): Promise<Source> {
  const { source } = begun;
  let registered: Registered | undefined;
  try {
    const secrets = await agreedSecrets(parts, begun);
    await replaceSecrets(parts.vault, source, secrets);
    registered = source.simulate ? { columns: {} } : await register(parts, { source, secrets });
    await storeProviderSecret(parts, { wanted, source, secrets }, registered);
    if (isNotified(wanted) && !source.simulate) {
      const began = await beginPolling(parts.hooks, toHookCall(source), NOTIFIED_MINUTES, registered.columns.state);
      registered.columns = { ...registered.columns, ...began.columns };
    }
    return await show(parts, wanted, source, registered);
  } catch (error) {
    // The scheduler cleans up the rest. The caller gets the reason of the failure, and not the error of the cleanup.
    await abandon(parts, source, { error, registered }).catch((left: unknown) => {
      parts.log.warn(
        { sourceId: source.id, error: describeError(left) },
        'a trigger that could not be enabled was not cleaned up',
      );
    });
    throw error;
  }
}

/** Returns the secrets of a source, with the secret of the webhook that it joins. */
async function agreedSecrets({ vault }: SourceParts, { source, secrets, joined }: Begun): Promise<SourceSecrets> {
  return joined ? { ...secrets, hookSecret: await sharedSecret(vault, source.orgId, joined) } : secrets;
}

/**
 * Stores the provider's signing secret, if it chose one. Throws ACTION_FAILED if the webhook is shared, because the other sources use the secret that
 * Drawbridge registered.
 */
async function storeProviderSecret(
  { vault }: SourceParts,
  { wanted, source, secrets }: Omit<Begun, 'joined'> & { wanted: Wanted },
  { providerSecret }: Registered,
): Promise<void> {
  if (providerSecret === undefined) return;
  if (sharesWebhook(wanted.trigger)) throw unfit('OUTPUT_INVALID', 'The secret of a shared webhook must not change');
  await replaceSecrets(vault, source, { ...secrets, providerSecret });
}

/** Returns true if requests of the provider start polls. */
const isNotified = ({ trigger }: Wanted): boolean => trigger.kind !== 'polling' && trigger.poll !== undefined;

/** Lists the source. Throws UNAVAILABLE if enabling took so long that the scheduler abandoned the source. */
async function show(
  { db, outbox, enqueue }: SourceParts,
  { trigger }: Wanted,
  { id, orgId, workspaceId, ...source }: Source,
  { columns }: Registered,
): Promise<Source> {
  return db.$transaction(async (tx) => {
    const [row] = await tx.source.updateManyAndReturn({
      where: { id, orgId, status: 'enabling' },
      data: { ...columns, status: 'enabled', suspendedAt: null, updatedAt: new Date() },
    });
    if (!row) throw new ApiError('UNAVAILABLE', 'Enabling the trigger took too long and was canceled. Try again');
    // A notification arrived while the source was being enabled. Its change may be newer than the first poll.
    if (row.notifiedAt) await tx.source.updateMany({ where: { id, orgId }, data: { pollAt: new Date() } });
    if (row.simulate) await recordEvents(tx, enqueue, tellings(row, [{ id: 'sample', data: trigger.sample }]));
    await outbox.record(tx, { id, name: `${source.integrationName}.${source.triggerName}`, workspaceId });
    return row;
  });
}

/**
 * Disables a source that may be registered at the provider, even if a user has already disabled it. Deletes a source that is certainly not
 * registered.
 */
async function abandon(
  { db, vault }: SourceParts,
  { id, orgId }: Source,
  { error, registered }: { error: unknown; registered: Registered | undefined },
): Promise<void> {
  if (registered || toHookFailure(error).isRetryable) {
    const now = new Date();
    const data = { ...registered?.columns, status: 'disabling', unregisterAt: now, updatedAt: now };
    return void (await db.source.updateMany({ where: { id, orgId, status: { not: 'enabled' } }, data }));
  }
  // The row is deleted last, so that the scheduler can find and clean up what is left.
  await vault.deleteSourceSecrets({ sourceId: id, orgId });
  await db.source.deleteMany({ where: { id, orgId, status: { not: 'enabled' } } });
}

/** The columns to store after a registration, and the provider's signing secret if it chose one. */
interface Registered {
  columns: Pick<
    Prisma.SourceUncheckedUpdateInput,
    'state' | 'renewAt' | 'cursor' | 'pollAt' | 'lastPolledAt' | 'routeKey'
  >;
  providerSecret?: string;
}

/** Subscribes a webhook, finds the installation of an app, or sets the starting point of polling. Throws the errors of the execution service. */
function register(
  { hooks }: Pick<SourceParts, 'hooks'>,
  { source, secrets }: { source: Source; secrets: SourceSecrets },
): Promise<Registered> {
  const call = toHookCall(source);
  switch (source.triggerType) {
    case 'WEBHOOK':
      return subscribeHook(hooks, { call, webhookUrl: source.webhookUrl ?? '', secret: secrets.hookSecret });
    case 'APP_WEBHOOK':
      return subscribeApp(hooks, call);
    case 'POLLING':
      return beginPolling(hooks, call, source.pollingMinutes ?? 0);
    default:
      throw new Error(`Unknown trigger type ${source.triggerType}`);
  }
}

type Hooks = SourceParts['hooks'];
type Call = ReturnType<typeof toHookCall>;

async function subscribeHook(hooks: Hooks, asked: Parameters<Hooks['enableHook']>[0]): Promise<Registered> {
  const registration = await hooks.enableHook(asked, HOOK_TIME);
  requireStorable(registration);
  const { stateJson, secret, renewAt } = registration;
  const state = JSON.parse(stateJson) as JsonObject as Prisma.InputJsonObject;
  return { columns: { state, renewAt: renewAt && new Date(renewAt) }, providerSecret: secret };
}

async function subscribeApp(hooks: Hooks, call: Call): Promise<Registered> {
  const { routeKey } = await hooks.subscribeHook({ call }, HOOK_TIME);
  requireStorableText(routeKey);
  return { columns: { routeKey } };
}

/**
 * Makes the first poll, which only sets the starting point and has no events. `state` is the state of a subscription with notifications that start
 * polls.
 */
async function beginPolling(hooks: Hooks, call: Call, minutes: number, state?: unknown): Promise<Registered> {
  const stateJson = state === undefined ? undefined : JSON.stringify(state);
  const { polledJson } = await hooks.pollHook({ call, stateJson }, HOOK_TIME);
  const first = nextPoll({ cursor: null, failures: 0, minutes }, { polledJson });
  const cursor = JSON.parse(first.cursor ?? 'null') as Prisma.InputJsonValue;
  const now = Date.now();
  return { columns: { cursor, pollAt: new Date(now + first.inMs), lastPolledAt: new Date(now) } };
}
