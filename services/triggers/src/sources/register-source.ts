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

/**
 * Registers a source at the provider and enables it. After a failure, deletes or unregisters what was created, here and at the provider. Throws the
 * same errors as `register`.
 */
export async function complete(parts: SourceParts, wanted: Wanted, begun: Begun): Promise<Source> {
  const { source, joined } = begun;
  let registered: Registered | undefined;
  try {
    // A source that joins an existing webhook uses the secret of this webhook.
    const shared = joined && { hookSecret: await sharedSecret(parts.vault, source.orgId, joined) };
    const secrets = { ...begun.secrets, ...shared };
    await replaceSecrets(parts.vault, source, secrets);
    registered = source.simulate ? { columns: {} } : await register(parts, { source, secrets });
    await storeProviderSecret(parts, { wanted, source, secrets }, registered);
    if (isNotified(wanted) && !source.simulate) {
      const began = await beginPolling(parts.hooks, toHookCall(source), NOTIFIED_MINUTES, registered.columns.state);
      registered.columns = { ...registered.columns, ...began.columns };
    }
    return await show(parts, wanted, source, registered);
  } catch (error) {
    // Ignores an error of the cleanup, because the scheduler cleans up the rest, and the caller needs the original error.
    await abandon(parts, source, { error, registered }).catch((left: unknown) => {
      parts.log.warn(
        { sourceId: source.id, error: describeError(left) },
        'a trigger that could not be enabled was not cleaned up',
      );
    });
    throw error;
  }
}

/**
 * Stores the signing secret of the provider, if the provider chose one. Throws ACTION_FAILED if the webhook is shared, because the other sources of
 * the webhook use the secret that Drawbridge registered.
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

/** Enables the source, after which it is listed. Throws UNAVAILABLE if enabling took so long that the scheduler abandoned the source. */
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
    // Makes the source due immediately, because a notification arrived while it was being enabled, and its change may be newer than the first poll.
    if (row.notifiedAt) await tx.source.updateMany({ where: { id, orgId }, data: { pollAt: new Date() } });
    if (row.simulate) await recordEvents(tx, enqueue, tellings(row, [{ id: 'sample', data: trigger.sample }]));
    await outbox.record(tx, { id, name: `${source.integrationName}.${source.triggerName}`, workspaceId });
    return row;
  });
}

/**
 * Cleans up a source that could not be enabled. If it may be registered at the provider, disables it, so that it is unregistered, even if a user has
 * already disabled it. If it is certainly not registered, deletes it.
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
  // Deletes the row last, because the scheduler finds the remaining data by this row.
  await vault.deleteSourceSecrets({ sourceId: id, orgId });
  await db.source.deleteMany({ where: { id, orgId, status: { not: 'enabled' } } });
}

/** The columns to store after a registration, and the signing secret if the provider chose one. */
interface Registered {
  columns: Pick<
    Prisma.SourceUncheckedUpdateInput,
    'state' | 'renewAt' | 'cursor' | 'pollAt' | 'lastPolledAt' | 'routeKey'
  >;
  providerSecret?: string;
}

/**
 * Registers a source at the provider: subscribes a webhook, finds the installation of an app, or sets the starting point of polling. Throws the
 * errors of the execution service.
 */
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
 * Makes the first poll, which only sets the starting point and returns no events. `state` is the state of the subscription if notifications of the
 * provider start polls.
 */
async function beginPolling(hooks: Hooks, call: Call, minutes: number, state?: unknown): Promise<Registered> {
  const stateJson = state === undefined ? undefined : JSON.stringify(state);
  const { polledJson } = await hooks.pollHook({ call, stateJson }, HOOK_TIME);
  const first = nextPoll({ cursor: null, failures: 0, minutes }, { polledJson });
  const cursor = JSON.parse(first.cursor ?? 'null') as Prisma.InputJsonValue;
  const now = Date.now();
  return { columns: { cursor, pollAt: new Date(now + first.inMs), lastPolledAt: new Date(now) } };
}
