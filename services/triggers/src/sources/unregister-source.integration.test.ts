import { type JobContext } from '@drawbridge/jobs';
import { ApiError, newId } from '@drawbridge/contracts';
import { type Source } from '../gen/prisma/client.js';
import { memoryVault, SECRETS } from '../testing/memory-vault.js';
import { ago, database, dueOf, find, log, newSource } from '../testing/sources.js';
import { unregisterTask } from '../sources/unregister-source.js';

const CONNECTION = newId();

let vault: ReturnType<typeof memoryVault>;
let asked: string[];

beforeEach(() => {
  [vault, asked] = [memoryVault(), []];
});

const unregister = (answer: (signal?: AbortSignal) => Promise<object> = async () => ({})) =>
  unregisterTask({
    ...{ db: database.db, pool: database.pool, log, vault },
    hooks: {
      async enableHook({ secret, call }) {
        asked.push(`enable ${secret} by ${call?.connection?.value}`);
        return { stateJson: '{"id":7}' };
      },
      async disableHook({ secret, stateJson, call }, options) {
        asked.push(`disable ${secret} ${stateJson} by ${call?.connection?.value}`);
        return answer(options?.signal);
      },
    },
  });

async function newDisabled(columns: object = {}): Promise<Source> {
  const registered = {
    triggerType: 'WEBHOOK',
    hookId: crypto.randomUUID(),
    state: { id: 1 },
    connectionId: CONNECTION,
  };
  const source = await newSource({ ...registered, status: 'disabling', ...columns });
  vault.kept.set(source.id, SECRETS);
  return source;
}

interface Run {
  attempt?: number;
  answer?: (signal?: AbortSignal) => Promise<object>;
  lease?: AbortController;
}

const run = (source: Source, { attempt = 1, answer, lease = new AbortController() }: Run = {}) =>
  unregister(answer)(dueOf(source, source.unregisterAt), { attempt, signal: lease.signal } as JobContext);

async function expectGone(source: Source): Promise<void> {
  expect([await find(source), vault.kept.has(source.id)]).toEqual([null, false]);
}

const busy = () => Promise.reject(new ApiError('ACTION_FAILED', 'no', { details: { retryable: true } }));
const refused = () => Promise.reject(new ApiError('ACTION_FAILED', 'no', { details: { retryable: false } }));

it('tells the third party, and then keeps nothing', async () => {
  const source = await newDisabled();
  await run(source);
  expect(asked).toEqual([`disable ours {"id":1} by ${CONNECTION}`]);
  await expectGone(source);
});

it('finds a subscription that was not stored', async () => {
  const source = await newDisabled({ state: undefined });
  await run(source);
  expect(asked).toEqual([`enable ours by ${CONNECTION}`, `disable ours {"id":7} by ${CONNECTION}`]);
  await expectGone(source);
});

it.each([
  ['is polled', { triggerType: 'POLLING' }],
  ['is of an app', { triggerType: 'APP_WEBHOOK' }],
  ['was simulated', { simulate: true }],
])('sends no request for a source that %s', async (_, columns) => {
  const source = await newDisabled(columns);
  await run(source);
  expect(asked).toEqual([]);
  await expectGone(source);
});

it('sends no request if nothing was registered', async () => {
  const source = await newDisabled({ state: undefined });
  vault.kept.clear();
  await run(source);
  expect(asked).toEqual([]);
  await expectGone(source);
});

it('tries four times where the third party fails, and is gone then', async () => {
  const source = await newDisabled();
  for (const attempt of [1, 2, 3]) {
    await expect(run(source, { attempt, answer: busy })).rejects.toThrow('did not end the subscription');
  }
  expect(await find(source)).toMatchObject({ status: 'disabling' });
  await run(source, { attempt: 4, answer: busy });
  await expectGone(source);
});

it.each([
  ['refuses', {}, refused],
  ['fails in a workspace that is gone', { workspaceId: newId() }, busy],
])('stops at once if the provider %s', async (what, columns, answer) => {
  const source = await newDisabled(columns);
  if (what !== 'refuses') {
    const sql = 'INSERT INTO triggers.purged_workspaces (workspace_id) VALUES ($1)';
    await database.pool.query(sql, [source.workspaceId]);
  }
  await run(source, { answer });
  await expectGone(source);
});

it('stops after its attempts if the operator removed the trigger', async () => {
  const source = await newDisabled({ triggerName: 'gone' });
  await expect(run(source)).rejects.toThrow('did not end the subscription');
  await run(source, { attempt: 4 });
  expect(asked).toEqual([]);
  await expectGone(source);
});

it('waits while our own services are unavailable, however often', async () => {
  const source = await newDisabled();
  const away = () => Promise.reject(new ApiError('UNAVAILABLE', 'away'));
  await expect(run(source, { attempt: 9, answer: away })).rejects.toThrow('away');
  expect(await find(source)).not.toBeNull();
});

it('ignores enabled sources', async () => {
  const source = await newDisabled({ status: 'enabled', suspendedAt: null });
  await run(source);
  expect([asked, await find(source)]).toMatchObject([[], { status: 'enabled' }]);
});

async function deliver({ id, orgId, workspaceId }: Source, many: number): Promise<void> {
  for (let count = 0; count < many; count++) {
    const of = { id: newId(), orgId, workspaceId, sourceId: id };
    await database.db.event.create({ data: { ...of, providerId: `${count}`, payload: {}, simulate: false } });
    await database.db.delivery.create({ data: { ...of, id: newId(), eventId: of.id, createdAt: ago(1) } });
  }
}

it('keeps its deliveries and their secrets until they have ended, and calls the provider once', async () => {
  const [source, other] = [await newDisabled(), await newDisabled()];
  await deliver(source, 3);
  await deliver(other, 3);
  await run(source);
  await run(source);
  expect(asked).toHaveLength(1);
  const { orgId, id: sourceId } = source;
  expect(await database.db.delivery.count({ where: { orgId, sourceId } })).toBe(3);
  const { callbackHeaders, signingSecret } = SECRETS;
  expect(vault.kept.get(sourceId)).toEqual({ callbackHeaders, signingSecret, hookSecret: '' });
  const ended = await find(source);
  expect(ended).toMatchObject({ status: 'disabling', hookId: null, pollAt: null, renewAt: null });
  expect([ended?.endedAt, ended!.unregisterAt.getTime() > Date.now()]).toEqual([expect.any(Date), true]);

  await database.db.delivery.deleteMany({ where: { orgId, sourceId } });
  await run(source);
  await expectGone(source);
  expect(await database.db.event.count({ where: { orgId } })).toBe(0);
  expect(await database.db.event.count({ where: { orgId: other.orgId } })).toBe(3);
});

it('keeps a source with a request that is not processed yet', async () => {
  const source = await newDisabled();
  const request = { method: 'POST', url: '/', headers: {}, body: Buffer.from('{}') };
  const of = { id: newId(), orgId: source.orgId, sourceId: source.id, integrationName: source.integrationName };
  await database.db.inbound.create({ data: { ...of, ...request } });
  await run(source);
  expect(await find(source)).toMatchObject({ status: 'disabling', endedAt: expect.any(Date) });
  expect(await database.db.inbound.count({ where: { orgId: source.orgId } })).toBe(1);
});

it('deletes the events of a source without a callback a day after it was disabled', async () => {
  const source = await newDisabled({ callbackUrl: null });
  await deliver(source, 3);
  await run(source);
  expect(await database.db.delivery.count({ where: { orgId: source.orgId } })).toBe(3);
  await run(source);
  await expectGone(source);
  expect(await database.db.event.count({ where: { orgId: source.orgId } })).toBe(0);
});

it('keeps deliveries readable where nothing is left to sign them with', async () => {
  const source = await newDisabled();
  await deliver(source, 1);
  vault.kept.clear();
  await run(source);
  expect(await find(source)).toMatchObject({ status: 'disabling', endedAt: expect.any(Date) });
  expect(await database.db.delivery.count({ where: { orgId: source.orgId, sourceId: source.id } })).toBe(1);
});

it('deletes everything of a deleted workspace', async () => {
  const source = await newDisabled();
  await deliver(source, 1);
  await database.pool.query('INSERT INTO triggers.purged_workspaces (workspace_id) VALUES ($1)', [source.workspaceId]);
  await run(source);
  await expectGone(source);
});

it('cancels the call when another process has the job, and leaves the source to that', async () => {
  const source = await newDisabled();
  const lease = new AbortController();
  const answer = (signal?: AbortSignal): Promise<object> =>
    new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(new ApiError('TIMEOUT', 'The call was canceled')));
      lease.abort();
    });
  await expect(run(source, { attempt: 4, answer, lease })).rejects.toThrow();
  expect(await find(source)).toMatchObject({ status: 'disabling', endedAt: null });
  expect(vault.kept.has(source.id)).toBe(true);
});

describe('a source that shares its webhook', () => {
  const shared = { integrationName: 'telegram', triggerName: 'new_message', webhookUrl: 'https://gateway.example/x' };
  const newSharing = ({ orgId, workspaceId, hookId }: Source, status: string) =>
    newSource({
      ...{ ...shared, orgId, workspaceId, hookId, status },
      ...{ triggerType: 'WEBHOOK', connectionId: CONNECTION },
    });

  it('has the webhook registered for another source', async () => {
    const source = await newDisabled(shared);
    vault.kept.set((await newSharing(source, 'enabled')).id, { ...SECRETS, hookSecret: 'shared' });
    await run(source);
    expect(asked).toEqual([`enable shared by ${CONNECTION}`]);
    await expectGone(source);
  });

  it('waits for one that is being enabled and has no secrets yet, and is unregistered if that fails', async () => {
    const source = await newDisabled(shared);
    const other = await newSharing(source, 'enabling');
    await expect(run(source)).rejects.toThrow();
    expect([asked, await find(source), vault.kept.has(source.id)]).toMatchObject([[], { endedAt: null }, true]);
    await database.db.source.deleteMany({ where: { id: other.id, orgId: other.orgId } });
    await run(source, { attempt: 2 });
    expect(asked).toEqual([`disable ours {"id":1} by ${CONNECTION}`]);
    await expectGone(source);
  });
});
