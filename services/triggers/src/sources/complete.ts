import { ApiError } from '@drawbridge/contracts';
import { describeError } from '@drawbridge/rpc';
import { recordEvents, tellings } from '../events/record-events.js';
import { type Source } from '../gen/prisma/client.js';
import { toHookFailure } from '../hooks/hook-failure.js';
import { replaceSecrets } from '../hooks/source-vault.js';
import { type begin, type Wanted } from './begin.js';
import { type SourceParts } from './parts.js';
import { register, type Registered } from './register.js';

type Begun = Awaited<ReturnType<typeof begin>>;

/** From its row to a source that is listed; what fails leaves nothing behind, here or at the third party. Fails as registering it does. */
export async function complete(parts: SourceParts, wanted: Wanted, begun: Begun): Promise<Source> {
  const { source, secrets } = begun;
  let registered: Registered | undefined;
  try {
    await replaceSecrets(parts.vault, source, secrets);
    registered = source.simulate ? { columns: {} } : await register(parts, begun);
    await tie(parts, begun, registered);
    return await show(parts, wanted, source, registered);
  } catch (error) {
    // What it is left with a sweep takes over: it says why it failed, not why it could not be cleared away.
    await abandon(parts, source, { error, registered }).catch((left: unknown) => {
      parts.log.warn(
        { sourceId: source.id, error: describeError(left) },
        'a trigger that was not enabled was not cleared away',
      );
    });
    throw error;
  }
}

/** To what the third party signs with, where it said so. */
async function tie({ vault }: SourceParts, { source, secrets }: Begun, { providerSecret }: Registered): Promise<void> {
  if (providerSecret !== undefined) await replaceSecrets(vault, source, { ...secrets, providerSecret });
}

/** Throws UNAVAILABLE where it took so long that it was given up meanwhile. */
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

/** What may be registered is ended as any other source is, even where somebody disabled it meanwhile; of what is not there is nothing to end. */
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
  // As long as the row is there, a sweep finds what is left.
  await vault.deleteSourceSecrets({ sourceId: id, orgId });
  await db.source.deleteMany({ where: { id, orgId, status: { not: 'enabled' } } });
}
