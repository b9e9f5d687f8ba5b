import { type JobContext } from '@drawbridge/jobs';
import { ApiError, newId } from '@drawbridge/contracts';
import { type HookRegistration } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { Prisma, type Source } from '../gen/prisma/client.js';
import { tell } from '../testing/delivering.js';
import { memoryVault, SECRETS } from '../testing/memory-vault.js';
import { ago, ahead, database, dueOf, find, log, newSource } from '../testing/sources.js';
import { renewTask } from './renew.js';

const WEBHOOK_URL = 'https://gateway.example/api/v1/webhooks/github/x';
const AT = ago(1);
const NEXT = ahead(60);
const registration = { stateJson: '{"id":2}', renewAt: NEXT.toISOString() };
const job = { attempt: 1, signal: new AbortController().signal } as JobContext;

let vault: ReturnType<typeof memoryVault>;
let asked: object[];
let disabled: string[];

beforeEach(() => {
  [vault, asked, disabled] = [memoryVault(), [], []];
});

const renew = (answer: (signal?: AbortSignal) => Promise<HookRegistration>) =>
  renewTask({
    ...{ db: database.db, pool: database.pool, log, vault },
    states: { find: async () => 'live' },
    hooks: {
      async renewHook({ call: _, ...request }, options) {
        asked.push(request);
        return answer(options?.signal);
      },
      async disableHook({ stateJson }) {
        disabled.push(stateJson);
        return {};
      },
    },
  });

async function newLease(columns: object = {}): Promise<Source> {
  const source = await newSource({
    ...{ triggerType: 'WEBHOOK', webhookUrl: WEBHOOK_URL, state: { id: 1 }, renewAt: AT, renewalFailures: 3 },
    ...columns,
  });
  vault.kept.set(source.id, SECRETS);
  return source;
}

it('renews with what ends it, and keeps what does so from then on', async () => {
  const source = await newLease();
  await renew(async () => registration)(dueOf(source, AT), job);
  expect(asked).toEqual([{ webhookUrl: WEBHOOK_URL, secret: 'ours', stateJson: '{"id":1}' }]);
  expect(await find(source)).toMatchObject({ state: { id: 2 }, renewAt: NEXT, renewalFailures: 0 });
  expect(vault.kept.get(source.id)).toEqual(SECRETS);
});

it('keeps what the third party signs with from then on', async () => {
  const source = await newLease();
  await renew(async () => ({ ...registration, secret: 'theirs' }))(dueOf(source, AT), job);
  expect(vault.kept.get(source.id)).toEqual({ ...SECRETS, providerSecret: 'theirs' });
});

it.each<[string, HookRegistration]>([
  ['more than there is room for', { stateJson: JSON.stringify('x'.repeat(2 ** 16)) }],
  ['a time that is none', { stateJson: '{}', renewAt: 'soon' }],
])('keeps nothing of %s', async (_, answer) => {
  const source = await newLease();
  await renew(async () => answer)(dueOf(source, AT), job);
  expect(await find(source)).toMatchObject({ state: { id: 1 }, renewalFailures: 4 });
});

it('stores what the provider returned, even if the connection was reconnected meanwhile', async () => {
  const source = await newLease();
  await renew(async () => {
    const where = { id: source.id, orgId: source.orgId };
    await database.db.source.updateMany({ where, data: { renewAt: new Date() } });
    return registration;
  })(dueOf(source, AT), job);
  expect(await find(source)).toMatchObject({ state: { id: 2 }, renewAt: NEXT, renewalFailures: 0 });
});

it('does not replace the state of a later renewal by another process', async () => {
  const source = await newLease();
  await renew(async () => {
    const where = { id: source.id, orgId: source.orgId };
    await database.db.source.updateMany({ where, data: { state: { id: 3 }, renewAt: ahead(90) } });
    return registration;
  })(dueOf(source, AT), job);
  expect(await find(source)).toMatchObject({ state: { id: 3 } });
});

// The type jsonb cannot represent the last two states.
it.each([
  null,
  { id: 1, more: [1, 'ä'] },
  { 2: [1e21, 1e-7, 0.1, 123456789012345680000], 10: { b: null, a: true }, ' "\\/\u2028': '' },
  { id: 'a\0' },
  { id: 'a\ud800' },
])('renews from the state %j', async (state) => {
  const source = await newLease({ state: state ?? Prisma.DbNull });
  await renew(async () => ({ ...registration, stateJson: JSON.stringify({ id: 2, state }) }))(dueOf(source, AT), job);
  const again = await find(source);
  expect(again).toMatchObject({ state: { id: 2 } });
  await renew(async () => registration)(dueOf(source, again!.renewAt), job);
  expect(await find(source)).toMatchObject({ state: { id: 2 } });
  expect(asked).toHaveLength(2);
});

it('renews each minute at most', async () => {
  const source = await newLease();
  await renew(async () => ({ stateJson: '{}', renewAt: ago(5).toISOString() }))(dueOf(source, AT), job);
  expect((await find(source))?.renewAt?.getTime()).toBeGreaterThan(Date.now() + 50_000);
});

it('stops renewing a subscription without an expiry', async () => {
  const source = await newLease();
  await renew(async () => ({ stateJson: '{}' }))(dueOf(source, AT), job);
  expect(await find(source)).toMatchObject({ renewAt: null });
});

it('retries after a failure of the provider, and not before the time that it names', async () => {
  const source = await newLease();
  const busy = new ApiError('ACTION_FAILED', 'no', { details: { retryable: true, provider: { retryAfter: 7_200 } } });
  await renew(() => Promise.reject(busy))(dueOf(source, AT), job);
  const after = await find(source);
  expect(after).toMatchObject({ state: { id: 1 }, renewalFailures: 4, status: 'enabled' });
  expect(after?.renewAt?.getTime()).toBeGreaterThan(ahead(119).getTime());
});

it('leaves it to the queue while something of ours is away', async () => {
  const source = await newLease();
  await expect(
    renew(() => Promise.reject(new ApiError('UNAVAILABLE', 'away')))(dueOf(source, AT), job),
  ).rejects.toThrow('away');
  expect(await find(source)).toMatchObject({ renewAt: AT, renewalFailures: 3 });
});

describe('a source that was disabled while it was renewed', () => {
  async function renewDisabled(source: Source, ended = ['{"id":2}']): Promise<void> {
    const disable = async () => {
      const where = { id: source.id, orgId: source.orgId };
      await database.db.source.updateMany({ where, data: { status: 'disabling', suspendedAt: new Date() } });
      return registration;
    };
    await renew(disable)(dueOf(source, AT), job);
    expect([disabled, await find(source)]).toMatchObject([ended, { state: { id: 1 }, status: 'disabling' }]);
  }

  it('is ended again', async () => {
    const source = await newLease();
    await renewDisabled(source);
    expect(vault.kept.has(source.id)).toBe(false);
  });

  it('keeps the webhook that another source shares', async () => {
    const shared = { integrationName: 'telegram', triggerName: 'new_message', hookId: 'shared', connectionId: newId() };
    const source = await newLease(shared);
    await newLease({ ...shared, orgId: source.orgId });
    await renewDisabled(source, []);
  });

  it('keeps what its redeliveries are signed with', async () => {
    const source = await newLease();
    await tell(source, 1);
    await renewDisabled(source);
    expect(vault.kept.get(source.id)).toMatchObject({ signingSecret: SECRETS.signingSecret });
  });
});

it('sends no request for a subscription that is no longer due', async () => {
  const source = await newLease();
  await renew(async () => registration)(dueOf(source, ago(2)), job);
  expect(asked).toEqual([]);
});

it('cancels the call when another process has the job, and leaves the source to that', async () => {
  const source = await newLease();
  const lease = new AbortController();
  const canceled = renew(
    (signal) =>
      new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(new ApiError('TIMEOUT', 'The call was canceled')));
        lease.abort();
      }),
  )(dueOf(source, AT), { ...job, signal: lease.signal });
  await expect(canceled).rejects.toThrow();
  expect(await find(source)).toMatchObject({ state: { id: 1 }, renewAt: AT, renewalFailures: 3 });
});
