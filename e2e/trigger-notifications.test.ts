// Shapes: local; in full: processes
import { eventually } from './support/eventually.js';
import { expectInvalid } from './support/expect.js';
import { polledProduct, type PolledProduct, type Thing } from './support/polled-product.js';

/** The number of times that a trigger is enabled while another trigger is removed. `npm test` does it less often. */
const ROUNDS = process.env['FULL'] === '0' ? 2 : 5;

let at: PolledProduct;

beforeAll(async () => void (at = await polledProduct()));
afterAll(() => at?.stop());
afterEach(() => at.whilePolled(() => undefined));

const thing = (id: number): Thing => ({ id, at: id });

interface Sent {
  url: string;
  secret: string;
}

/** Sends a request to a webhook URL, as a provider does. */
function send({ url, secret }: Sent, body: object = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-secret': secret };
  return fetch(at.product.baseUrl + new URL(url).pathname, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('a trigger with requests that start polls', () => {
  const subscribed: Sent[] = [];
  const states: (string | null)[] = [];

  beforeAll(() => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    at.thirdParty.on('POST /leases', ({ body }) => (subscribed.push(body as Sent), { body: { id: 1, until } }));
    at.thirdParty.on('DELETE /leases/1', { body: {} });
  });

  const newPinged = async (things: Thing[] = []) => {
    const source = await at.newSource({ triggerName: 'pinged' }, things);
    return { ...source, hook: subscribed.at(-1)! };
  };

  it('starts at what exists, and then delivers each new item once', async () => {
    const { things, hook, ...source } = await newPinged([thing(1)]);
    expect(await source.row()).toMatchObject({
      cursor: { at: 1, ids: [1] },
      trigger_type: 'WEBHOOK',
      state: { id: 1 },
    });
    expect((await source.row()).poll_at.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
    things.unshift(thing(3), thing(2));
    expect((await send(hook)).status).toBe(200);
    expect(await source.delivered(2)).toEqual([2, 3]);
    things.unshift(thing(4));
    await send(hook);
    expect(await source.delivered(3)).toEqual([2, 3, 4]);
    expect((await source.row()).poll_at.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
  });

  it('passes the state of the subscription to the poll', async () => {
    at.thirdParty.requests.forEach(({ url }) =>
      states.push(new URL(url, 'https://x.example').searchParams.get('state')),
    );
    expect(states.filter((state) => state !== null)).not.toHaveLength(0);
    expect(new Set(states.filter((state) => state !== null))).toEqual(new Set(['1']));
  });

  it('finds an item of which the provider sends no notification, at the regular poll', async () => {
    const source = await newPinged();
    source.things.unshift(thing(1));
    await source.due();
    expect(await source.delivered(1)).toEqual([1]);
  });

  it('polls once more for notifications that arrive during a poll, and not once for each', async () => {
    const source = await newPinged();
    const { begun, release, polls } = at.hold();
    source.things.unshift(thing(1));
    await send(source.hook);
    await begun;
    const before = polls();
    await Promise.all(Array.from({ length: 20 }, () => send(source.hook)));
    await eventually(async () => expect((await source.row()).notified_at).not.toBeNull());
    source.things.unshift(thing(2));
    release();
    expect(await source.delivered(2)).toEqual([1, 2]);
    await eventually(async () => expect((await source.row()).poll_at.getTime()).toBeGreaterThan(Date.now() + 60_000));
    // Each poll sends two requests. A notification that was stored late can start one more poll.
    expect(polls() - before).toBeLessThanOrEqual(6);
  });

  it('does not poll a failing provider for each notification', async () => {
    const source = await newPinged();
    let polls = 0;
    at.whilePolled(() => (polls++, { status: 500, body: {} }));
    await send(source.hook);
    await eventually(async () => expect((await source.row()).failures).toBe(1));
    const failed = polls;
    for (let count = 0; count < 5; count++) await send(source.hook);
    await eventually(async () => expect((await source.row()).notified_at).not.toBeNull());
    await eventually(async () => expect(await at.waitingInbound()).toBe(0));
    expect([polls, (await source.row()).failures]).toEqual([failed, 1]);
    // The check above would miss a poll that starts a second later. Therefore the next poll must be due in about an hour.
    expect((await source.row()).poll_at.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
    at.whilePolled(() => undefined);
    source.things.unshift(thing(1));
    await source.due();
    expect(await source.delivered(1)).toEqual([1]);
  });

  it('polls after a notification that arrives while the trigger is enabled', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    let early: Promise<unknown> | undefined;
    at.thirdParty.on('POST /leases', async ({ body }) => {
      const sent = body as Sent;
      early = send(sent);
      await early;
      return { body: { id: 1, until } };
    });
    const things = [thing(1)];
    let requests = 0;
    at.whilePolled(async () => {
      // At its second request, the first poll has read its items. Thing 2 is added after that, so only the poll of the notification can deliver it.
      if (++requests !== 2) return;
      await eventually(async () => expect(await at.waitingInbound()).toBe(0));
      things.unshift(thing(2));
    });
    const source = await at.newSource({ triggerName: 'pinged' }, things);
    expect(await source.delivered(1)).toEqual([2]);
    await early;
  });

  it('refuses a notification that is not signed', async () => {
    const { url } = subscribed[0]!;
    expect((await send({ url, secret: 'other' })).status).toBe(401);
  });
});

describe('triggers that share a webhook', () => {
  /** The webhook that the provider stores for each credential. */
  const hooks = new Map<string, Sent>();
  const calls: string[] = [];

  beforeAll(() => {
    at.thirdParty.on('PUT /hook', ({ body, headers }) => {
      calls.push('enable');
      hooks.set(headers['authorization'] ?? '', body as Sent);
      return { body: {} };
    });
    at.thirdParty.on('DELETE /hook', ({ headers }) => {
      calls.push('disable');
      hooks.delete(headers['authorization'] ?? '');
      return { body: {} };
    });
  });
  beforeEach(() => void (calls.length = 0));

  const disable = (id: string) => at.api.post('/api/v1/triggers/disable', { triggerSourceId: id });
  const ended = async ({ row }: { row(): Promise<any> }) =>
    eventually(async () => {
      const source = await row();
      expect(source === undefined || source.ended_at !== null).toBe(true);
    });

  it('have one URL and one secret, and get their own events', async () => {
    const opened = await at.newSource({ triggerName: 'opened' });
    const first = { ...hooks.get(opened.authorization)! };
    const closed = await at.newSharing(opened, { triggerName: 'closed' });
    expect(hooks.get(opened.authorization)).toEqual(first);
    for (const [id, kind] of [
      [1, 'opened'],
      [2, 'closed'],
    ])
      expect((await send(first, { id: String(id), kind })).status).toBe(200);
    expect([await opened.delivered(1), await closed.delivered(1)]).toEqual([['1'], ['2']]);
  });

  it('are subscribed until the last of them ends', async () => {
    const opened = await at.newSource({ triggerName: 'opened' });
    const closed = await at.newSharing(opened, { triggerName: 'closed' });
    await disable(opened.id);
    await ended(opened);
    const hook = hooks.get(opened.authorization)!;
    expect((await send(hook, { id: '5', kind: 'closed' })).status).toBe(200);
    expect(await closed.delivered(1)).toEqual(['5']);
    expect(calls).toEqual(['enable', 'enable', 'enable']);
    await disable(closed.id);
    await ended(closed);
    expect([hooks.has(opened.authorization), calls.at(-1)]).toEqual([false, 'disable']);
    expect((await send(hook, { id: '6', kind: 'closed' })).status).toBe(404);
  });

  it('agree on a secret when they are enabled at the same moment', async () => {
    const source = await at.newSource({ triggerName: 'opened' });
    await disable(source.id);
    await ended(source);
    const made = await Promise.all(
      ['opened', 'closed', 'opened', 'closed'].map((triggerName) => at.newSharing(source, { triggerName })),
    );
    const rows = await Promise.all(made.map((one) => one.row()));
    expect(new Set(rows.map(({ hook_id }) => hook_id)).size).toBe(1);
    expect((await send(hooks.get(source.authorization)!, { id: '7', kind: 'opened' })).status).toBe(200);
    for (const one of [made[0]!, made[2]!]) expect(await one.delivered(1)).toEqual(['7']);
  });

  it('are subscribed after one was enabled while another ended', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const source = await at.newSource({ triggerName: 'opened' });
      const [, closed] = await Promise.all([disable(source.id), at.newSharing(source, { triggerName: 'closed' })]);
      await ended(source);
      const hook = hooks.get(source.authorization)!;
      expect(hook).toBeDefined();
      expect((await send(hook, { id: `${round}`, kind: 'closed' })).status).toBe(200);
      expect(await closed.delivered(1)).toEqual([`${round}`]);
    }
  });

  it('do not share a webhook with those of another connection', async () => {
    const [one, other] = [await at.newSource({ triggerName: 'opened' }), await at.newSource({ triggerName: 'opened' })];
    const [mine, theirs] = [await one.row(), await other.row()];
    expect(mine.hook_id).not.toBe(theirs.hook_id);
    const forged = { url: hooks.get(other.authorization)!.url, secret: hooks.get(one.authorization)!.secret };
    expect((await send(forged, { id: '1', kind: 'opened' })).status).toBe(401);
  });

  it('are at most 50', async () => {
    const source = await at.newSource({ triggerName: 'opened' });
    await at.copyRows(source, 49);
    const answer = await at.enable({
      ...{ triggerName: 'closed', callbackUrl: at.receiver.hook('/x'), connectionExternalId: source.externalId },
    });
    expectInvalid(answer, 'triggerName');
  });
});
