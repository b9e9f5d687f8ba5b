// Shapes: processes
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, TIMESTAMP } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { organizationOn, plansFile, type PlansFile } from './support/plans.js';
import { type PolledProduct, polledProduct, type PolledSource, type Thing } from './support/polled-product.js';

let plans: PlansFile;
let its: PolledProduct;

beforeAll(async () => {
  plans = plansFile({ rare: { minimumPollingMinutes: 15 } });
  its = await polledProduct({ PLANS_FILE: plans.path });
});
afterAll(async () => {
  await its?.stop();
  plans.remove();
});
afterEach(() => its.whilePolled(() => undefined));

const thing = (id: number, at = id): Thing => ({ id, at });

it('polling starts at the existing items, and then delivers each new item once', async () => {
  const source = await its.newSource({}, [thing(2), thing(1)]);
  expect(await source.row()).toMatchObject({ cursor: { at: 2, ids: [2] }, polling_minutes: 5 });
  source.things.unshift(thing(4), thing(3));
  await source.due();
  expect(await source.delivered(2)).toEqual([3, 4]);
  source.things.unshift(thing(5));
  await source.due();
  expect(await source.delivered(3)).toEqual([3, 4, 5]);
});

it('polling loses no items with the same time, in any order and page, even if they arrive during a poll', async () => {
  const source = await its.newSource({}, [thing(1)]);
  source.things.unshift(thing(3, 2), thing(4, 2), thing(2, 2));
  let next = 5;
  its.whilePolled(() => void (next < 8 && source.things.unshift(thing(next++, 2))));
  await source.due();
  await source.delivered(3);
  its.whilePolled(() => undefined);
  source.things.reverse();
  await source.due();
  expect(await source.delivered(6)).toEqual([2, 3, 4, 5, 6, 7]);
});

it('an item that two pollers find concurrently is delivered once', async () => {
  const source = await its.newSource();
  source.things.unshift(thing(1));
  const { begun, release, polls } = its.hold();
  await source.due();
  await begun;
  await source.due();
  await eventually(async () => expect(polls()).toBe(2));
  release();
  expect(await source.delivered(1)).toEqual([1]);
  source.things.unshift(thing(2));
  await source.due();
  expect(await source.delivered(2)).toEqual([1, 2]);
});

it('a fast provider is polled while many triggers of the same organization wait for a slow one', async () => {
  const slow: PolledSource[] = [];
  while (slow.length < 12) slow.push(await its.newSource());
  const quick = await its.newSource({ integrationName: 'beside' });
  const { begun, release, polls } = its.hold();
  await Promise.all(slow.map((source) => source.due()));
  await begun;
  for (const id of [1, 2]) {
    quick.things.unshift(thing(id));
    await quick.due();
    await quick.delivered(id);
  }
  expect(polls()).toBeLessThan(slow.length);
  release();
  await eventually(async () => expect(polls()).toBe(slow.length));
  const { triggers } = (await its.api.get(`/api/v1/triggers?workspaceId=${its.workspaceId}&limit=1`)).body;
  expect(triggers).toMatchObject([{ lastPolledAt: expect.stringMatching(TIMESTAMP) }]);
});

it('polling continues after a kill in the middle of a poll', async () => {
  const source = await its.newSource();
  source.things.unshift(thing(1));
  const { begun, release } = its.hold();
  await source.due();
  await begun;
  const replicas = Object.keys(its.product.processes()).filter((name) => name.startsWith('triggers'));
  await Promise.all(replicas.map((name) => its.product.kill(name)));
  release();
  for (const name of replicas) await its.product.restart(name);
  await source.due();
  expect(await source.delivered(1)).toEqual([1]);
});

it('polling keeps its cursor while the provider fails, and respects Retry-After', async () => {
  const source = await its.newSource();
  source.things.unshift(thing(1));
  its.whilePolled(() => ({ status: 429, headers: { 'retry-after': '7200' }, body: {} }));
  await source.due();
  await eventually(async () => expect(await source.row()).toMatchObject({ failures: 1, cursor: { at: 0 } }));
  expect((await source.row()).poll_at.getTime()).toBeGreaterThan(Date.now() + 7_000_000);
  its.whilePolled(() => undefined);
  await source.due();
  expect(await source.delivered(1)).toEqual([1]);
  expect(await source.row()).toMatchObject({ failures: 0 });
});

it('a failed trigger is polled at once when its connection is reconnected', async () => {
  const source = await its.newSource();
  source.things.unshift(thing(1));
  its.whilePolled(() => ({ status: 401, body: {} }));
  await source.due();
  await eventually(async () => expect(await source.row()).toMatchObject({ failures: 1 }));
  its.whilePolled(() => undefined);
  await source.reconnect();
  expect(await source.delivered(1)).toEqual([1]);
});

describe('the polling interval', () => {
  it('is at least the minimum of the plan', async () => {
    const { api } = await organizationOn('rare', { product: its.product, plans });
    const slug = fresh();
    const workspaceId = (await api.post('/api/v1/workspaces', { name: 'W', slug })).body.workspace.id;
    const fields = {
      workspaceId,
      integrationName: 'polled',
      triggerName: 'new_thing',
      callbackUrl: its.receiver.hook('/'),
    };
    const enable = (minutes: number) =>
      api.post('/api/v1/triggers/enable', { ...fields, pollingIntervalMinutes: minutes });
    expectError(await enable(14), 403, 'POLLING_INTERVAL_TOO_SHORT');
    expectError(await enable(15), 400, 'CONNECTION_REQUIRED');
  });

  it('is refused for a trigger that is not polled', async () => {
    const callbackUrl = its.receiver.hook('/');
    const answer = await its.enable({ triggerName: 'lent', callbackUrl, pollingIntervalMinutes: 5 });
    expectInvalid(answer, 'pollingIntervalMinutes');
  });
});

describe('an expiring subscription', () => {
  let leases: string[];

  beforeEach(() => void (leases = its.lend()));

  const asked = (...lines: string[]) => eventually(async () => expect(leases).toEqual(lines));
  const gone = (source: PolledSource) => eventually(async () => expect(await source.row()).toBeUndefined());

  it('is renewed in time, and is ended in its renewed state', async () => {
    const source = await its.newSource({ triggerName: 'lent' });
    await source.due('renew_at');
    await eventually(async () => expect(await source.row()).toMatchObject({ state: { id: 2 }, renewal_failures: 0 }));
    await its.api.post('/api/v1/triggers/disable', { triggerSourceId: source.id });
    await asked('enable', 'renew 1', 'end 2');
    await gone(source);
  });

  it('keeps its state where a renewal fails', async () => {
    const source = await its.newSource({ triggerName: 'lent' });
    its.thirdParty.on('PUT /leases/1', { status: 500 });
    await source.due('renew_at');
    await eventually(async () => expect(await source.row()).toMatchObject({ state: { id: 1 }, renewal_failures: 1 }));
    expect((await source.row()).renew_at.getTime()).toBeGreaterThan(Date.now());
  });

  it('is deleted even if the provider refuses to end it', async () => {
    const source = await its.newSource({ triggerName: 'lent' });
    its.thirdParty.on('DELETE /leases/1', { status: 403, body: { message: 'no' } });
    await its.api.post('/api/v1/triggers/disable', { triggerSourceId: source.id });
    await gone(source);
  });

  it.each<[string, string, (owner: { workspaceId: string; endUserId: string }) => object]>([
    ['connection', 'connections', () => ({})],
    ['end user', 'end-users', (owner) => ({ scope: 'USER', ...owner })],
    ['workspace', 'workspaces', ({ workspaceId }) => ({ scope: 'WORKSPACE', workspaceId })],
  ])('is ended with its credential before the deletion of its %s completes', async (_, kind, scopeOf) => {
    const endUserId = fresh();
    const workspaceId = (await its.api.post('/api/v1/workspaces', { name: 'W', slug: endUserId })).body.workspace.id;
    const owner = { workspaceId, endUserId };
    const person = await its.api.post('/api/v1/end-users', { workspaceId, externalId: endUserId });
    const source = await its.newSource({ triggerName: 'lent', ...owner }, [], scopeOf(owner));
    const ids = { connections: source.connectionId, 'end-users': person.body.endUser.id, workspaces: workspaceId };
    expect(await its.api.delete(`/api/v1/${kind}/${ids[kind as keyof typeof ids]}`)).toMatchObject({ status: 200 });
    await asked('enable', 'end 1');
    const ended = its.thirdParty.requests.filter(({ method }) => method === 'DELETE').at(-1);
    expect(ended?.headers['authorization']).toBe(source.authorization);
    await gone(source);
    await eventually(async () => expect(await source.kept()).toEqual([]));
  });

  it('is ended where the process died before it was stored', async () => {
    const source = await its.newSource({ triggerName: 'lent' });
    await source.abandon();
    await asked('enable', 'enable', 'end 1');
    await gone(source);
  });
});
