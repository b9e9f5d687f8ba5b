import { ApiError } from '@drawbridge/contracts';
import { type JsonObject } from '@drawbridge/piece-kit';
import { describeError } from '@drawbridge/rpc';
import { recordEvents, tellings } from '../events/record-events.js';
import { type Prisma, type Source } from '../gen/prisma/client.js';
import { HOOK_TIME, requireKept, requireKeptText, toHookCall, toHookFailure } from '../hooks/trigger-hooks.js';
import { replaceSecrets, type SourceSecrets } from '../secrets/source-secrets.js';
import { nextPoll } from '../polling/next-poll.js';
import { type begin, type SourceParts, type Wanted } from './create-source.js';

type Begun = Awaited<ReturnType<typeof begin>>;

/** Completes a source until it is listed. A failure leaves nothing behind, here or at the provider. Throws the errors of register(). */
export async function complete(parts: SourceParts, wanted: Wanted, begun: Begun): Promise<Source> {
  const { source, secrets } = begun;
  let registered: Registered | undefined;
  try {
    await replaceSecrets(parts.vault, source, secrets);
    registered = source.simulate ? { columns: {} } : await register(parts, begun);
    await tie(parts, begun, registered);
    return await show(parts, wanted, source, registered);
  } catch (error) {
    // The scheduler cleans up what is left. The caller gets the reason of the failure, not the error of the cleanup.
    await abandon(parts, source, { error, registered }).catch((left: unknown) => {
      parts.log.warn(
        { sourceId: source.id, error: describeError(left) },
        'a trigger that was not enabled was not cleared away',
      );
    });
    throw error;
  }
}

/** Stores the provider's signing secret, if it chose one. */
async function tie({ vault }: SourceParts, { source, secrets }: Begun, { providerSecret }: Registered): Promise<void> {
  if (providerSecret !== undefined) await replaceSecrets(vault, source, { ...secrets, providerSecret });
}

/** Throws UNAVAILABLE if enabling took so long that the scheduler has abandoned the source. */
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
    if (!row) throw new ApiError('UNAVAILABLE', 'The trigger was given up before the third party had answered');
    if (row.simulate) await recordEvents(tx, enqueue, tellings(row, [{ id: 'sample', data: trigger.sample }]));
    await outbox.record(tx, { id, name: `${source.integrationName}.${source.triggerName}`, workspaceId });
    return row;
  });
}

/**
 * Disables a source that may be registered at the provider, even if a user has disabled it meanwhile. Deletes one that is certainly not registered.
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
  // The row is deleted last: while it exists, the scheduler finds what is left.
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

/** Subscribes a webhook, finds the installation of an app, or sets the starting point of polling. Throws the errors of execution. */
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
      throw new Error(`A trigger cannot be ${source.triggerType}`);
  }
}

type Hooks = SourceParts['hooks'];
type Call = ReturnType<typeof toHookCall>;

async function subscribeHook(hooks: Hooks, asked: Parameters<Hooks['enableHook']>[0]): Promise<Registered> {
  const registration = await hooks.enableHook(asked, HOOK_TIME);
  requireKept(registration);
  const { stateJson, secret, renewAt } = registration;
  const state = JSON.parse(stateJson) as JsonObject as Prisma.InputJsonObject;
  return { columns: { state, renewAt: renewAt && new Date(renewAt) }, providerSecret: secret };
}

async function subscribeApp(hooks: Hooks, call: Call): Promise<Registered> {
  const { routeKey } = await hooks.subscribeHook({ call }, HOOK_TIME);
  requireKeptText(routeKey);
  return { columns: { routeKey } };
}

/** The first poll only sets the starting point; it has no events. */
async function beginPolling(hooks: Hooks, call: Call, minutes: number): Promise<Registered> {
  const { polledJson } = await hooks.pollHook({ call }, HOOK_TIME);
  const first = nextPoll({ cursor: null, failures: 0, minutes }, { polledJson });
  const cursor = JSON.parse(first.cursor ?? 'null') as Prisma.InputJsonValue;
  const now = Date.now();
  return { columns: { cursor, pollAt: new Date(now + first.inMs), lastPolledAt: new Date(now) } };
}
