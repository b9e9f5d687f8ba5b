import { newId } from '@drawbridge/contracts';
import { type EventOf, inTransaction } from '@drawbridge/events';
import { ago, ahead, database, find, newSource } from '../testing/sources.js';
import { disableOfConnections, disableOfEndUsers } from './connection-events.js';

const about = (orgId: string, occurredAt = new Date()) => ({
  ...{ id: newId(), type: '', traceparent: '', orgId },
  occurredAt: occurredAt.toISOString(),
});

async function published(orgId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ type: string }>('SELECT type FROM triggers.outbox WHERE org_id = $1', [
    orgId,
  ]);
  return rows.map(({ type }) => type).sort();
}

const statusOf = async (source: Parameters<typeof find>[0]) => (await find(source))?.status;

describe('a connection that is deleted', () => {
  const connectionId = newId();
  const deleted = (orgId: string): EventOf<'connectionDeleted'> => ({
    ...about(orgId),
    payload: { $case: 'connectionDeleted', value: { connectionId } },
  });

  it('disables the triggers of the connection once, with an event', async () => {
    const source = await newSource({ connectionId });
    const other = await newSource({ orgId: source.orgId });
    const foreign = await newSource({ connectionId });
    for (let times = 0; times < 2; times++) {
      await inTransaction(database.pool, (tx) => disableOfConnections([deleted(source.orgId)], tx));
    }
    expect(await Promise.all([source, other, foreign].map(statusOf))).toEqual(['disabling', 'enabled', 'enabled']);
    expect(await published(source.orgId)).toEqual(['audit.recorded', 'trigger.disabled']);
  });
});

it('is ended, where it is about to be enabled, when that is over', async () => {
  const connectionId = newId();
  const source = await newSource({ connectionId, status: 'enabling', createdAt: ago(1) });
  const deleted = { ...about(source.orgId), payload: { $case: 'connectionDeleted', value: { connectionId } } } as const;
  await inTransaction(database.pool, (tx) => disableOfConnections([deleted], tx));
  const after = await find(source);
  expect(after?.status).toBe('disabling');
  expect(after?.unregisterAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
});

describe('an end user who is deleted', () => {
  const deleted = (orgId: string, workspaceId: string, at?: Date): EventOf<'endUserDeleted'> => ({
    ...about(orgId, at),
    payload: { $case: 'endUserDeleted', value: { workspaceId, externalId: 'u', endUserId: newId() } },
  });

  it('also disables the triggers of the end user in that workspace', async () => {
    const source = await newSource({ endUserId: 'u', createdAt: ago(1) });
    const { orgId, workspaceId } = source;
    const others = [
      await newSource({ orgId, workspaceId, endUserId: 'v', createdAt: ago(1) }),
      await newSource({ orgId, endUserId: 'u', createdAt: ago(1) }),
      await newSource({ orgId, workspaceId, createdAt: ago(1) }),
      await newSource({ orgId, workspaceId, endUserId: 'u', createdAt: ahead(1) }),
    ];
    await inTransaction(database.pool, (tx) => disableOfEndUsers([deleted(orgId, workspaceId)], tx));
    expect(await statusOf(source)).toBe('disabling');
    expect(await Promise.all(others.map(statusOf))).toEqual(others.map(() => 'enabled'));
  });
});
