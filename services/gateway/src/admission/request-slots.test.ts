import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallContext } from '@drawbridge/rpc';
import { type Release } from '@drawbridge/turns';
import { takeHookSlots } from '../hooks/hooks.js';
import { LIMITS, type Subject } from './concurrency-limits.js';
import { Refusals, RequestSlots, Slots } from './request-slots.js';

const never = new AbortController().signal;
/** Resolves when all requests have advanced as far as they can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const many = <T>(count: number, ask: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => ask(at));

let refusals: Refusals;
let slots: Slots;
beforeEach(() => {
  refusals = new Refusals();
  slots = new Slots(refusals);
});

describe('webhook requests', () => {
  const APP = 'slack/app';
  const FLOOD = 1_500;
  const SLOTS_OF_A_NETWORK = 24;

  const request = (subject: Subject, isKnown = (): boolean => false) => {
    const response = Object.assign(new EventEmitter(), { closed: false });
    const its = new RequestSlots(slots, response as never, { signal: never });
    const state = { isServed: false, end };
    function end(): void {
      Object.assign(response, { closed: true }).emit('close');
      state.isServed = false;
    }
    takeHookSlots(its, subject, isKnown).then(
      () => (state.isServed = true),
      () => undefined,
    );
    return state;
  };

  it('of a network with an accepted event are served while 1,500 of other networks wait for the same hook', async () => {
    const flood = many(FLOOD, (at) => request({ hook: APP, network: `stranger-${at % 500}` }));
    await settled();
    const event = request({ hook: APP, network: 'provider' }, () => true);
    await settled();
    expect([event.isServed, flood.some(({ isServed }) => !isServed)]).toEqual([true, true]);
  });

  it('of a network with a first event accepted while they wait leave the slots of unknown senders', async () => {
    many(FLOOD, (at) => request({ hook: APP, network: `stranger-${at % 500}` }));
    const known = new Set<string>();
    const burst = many(12, () => request({ hook: APP, network: 'provider' }, () => known.has('provider')));
    await settled();
    known.add('provider');
    for (let ended = 0; ended < 6; ended++) {
      burst[ended]!.end();
      await settled();
    }
    expect(burst.slice(6).map(({ isServed }) => isServed)).toEqual(Array(6).fill(true));
  });

  it('of a network that is new to a hook are served after as many of the network that floods it as are under way', async () => {
    const flood = many(FLOOD, () => request({ hook: APP, network: 'stranger' }));
    await settled();
    const first = request({ hook: APP, network: 'provider' });
    await settled();
    for (let ended = 0; ended < 2; ended++) {
      flood.find(({ isServed }) => isServed)!.end();
      await settled();
    }
    expect(first.isServed).toBe(true);
  });

  it('hold no slot of a hook while they wait for slots of their network', async () => {
    many(SLOTS_OF_A_NETWORK, (at) => request({ hook: `http/${at}`, network: 'stranger' }));
    many(FLOOD, () => request({ hook: APP, network: 'stranger' }));
    await settled();
    const events = many(2, () => request({ hook: APP, network: 'provider' }));
    await settled();
    expect(events.map(({ isServed }) => isServed)).toEqual([true, true]);
  });

  it('leave slots of a network to other hooks while many networks wait for one', async () => {
    many(FLOOD, (at) => request({ hook: APP, network: `stranger-${at % 500}` }));
    many(2 * SLOTS_OF_A_NETWORK, () => request({ hook: APP, network: 'provider' }));
    await settled();
    const event = request({ hook: 'slack/other', network: 'provider' });
    await settled();
    expect(event.isServed).toBe(true);
  });
});

describe('large bodies', () => {
  const reserve = (organization: string, signal = never): Promise<Release> =>
    slots.take('body past 64 kB', { organization }, () => signal);

  it('of an organization: eight are held, and one that waits behind two hundred is refused', async () => {
    const held = await Promise.all(many(8, () => reserve('a')));
    const waiting = many(200, () => reserve('a'));
    await expect(reserve('a')).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 1 } });
    (await reserve('b'))();
    held[0]?.();
    await expect(waiting[0]).resolves.toBeInstanceOf(Function);
  });

  it('let a caller leave who waits', async () => {
    await Promise.all(many(8, () => reserve('a')));
    await expect(reserve('a', AbortSignal.abort())).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

it('takes no slot of an organization for an end user who waits for their own', async () => {
  const [alice, bob] = [{ organization: 'a', endUser: 'alice' }, { organization: 'a' }];
  const held = many(31, () => slots.take('MCP message', alice, () => never));
  await Promise.all(held.slice(0, 30));
  await Promise.all(many(70, () => slots.take('MCP message', bob, () => never)));
  (await held[0]!)();
  await held[30];
});

it('frees the slots of a request when its wait fails, and counts the refusal', async () => {
  const listen = (organization: string): Promise<Release> => slots.take('MCP listener', { organization }, () => never);
  await Promise.all(many(1_000, (at) => listen(`organization ${at % 20}`)));
  const message = 'Limit reached: MCP listener, in all: 1000 at once, 0 waiting. Try again in 1 s';
  for (let tries = 0; tries < 51; tries++)
    await expect(listen('another')).rejects.toMatchObject({ code: 'RATE_LIMITED', message });
  await expect(listen('organization 1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const kind = 'MCP listener';
  expect(refusals.metric.read()).toEqual([
    { labels: { kind, limit: 'in all', code: 'RATE_LIMITED' }, value: 51 },
    { labels: { kind, limit: 'of an organization', code: 'RATE_LIMITED' }, value: 1 },
  ]);
});

it('keeps the slots of a request after its caller left until the work behind has ended', async () => {
  const requests = many(6, () => {
    const response = Object.assign(new EventEmitter(), { closed: false });
    const context: Pick<CallContext, 'signal' | 'abandoned'> = { signal: never };
    const its = new RequestSlots(slots, response as never, context);
    let end = (): void => undefined;
    const work = new Promise<void>((resolve) => (end = resolve));
    const leave = (): void => {
      context.abandoned!.add(work);
      Object.assign(response, { closed: true }).emit('close');
    };
    return { taken: its.take('request', { organization: 'a' }), leave, end };
  });
  await Promise.all(requests.map(({ taken }) => taken));
  let isServed = false;
  void slots.take('request', { organization: 'a' }, () => never).then(() => (isServed = true));
  for (const { leave } of requests) leave();
  await settled();
  expect(isServed).toBe(false);
  requests[0]!.end();
  await settled();
  expect(isServed).toBe(true);
});

/** The column "counted per" of docs/limits.md, by `per` of a limit. */
const COUNTED_PER: Record<string, string> = {
  '': 'process',
  organization: 'organization',
  endUser: 'end user',
  mcpServer: 'MCP server',
  visitor: 'account or network',
  'hook network': 'network and webhook URL',
  network: 'network',
  hook: 'webhook URL',
};

it('docs/limits.md lists every limit', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/limits.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (.+?) +\| (.+?) +\| ([\d,]+) +\| ([\d,]+|no limit) +\|$/gm)];
  const listed = rows.map(([, kind, per, concurrent, queued]) => [kind, per, concurrent, queued].join(' | '));
  const say = (count: number): string => (count === Infinity ? 'no limit' : count.toLocaleString('en-US'));
  const limits = Object.entries(LIMITS).flatMap(([kind, all]) =>
    all.map(({ per, slots, waiting }) => [kind, COUNTED_PER[per.join(' ')], say(slots), say(waiting)].join(' | ')),
  );
  expect(listed).toEqual(limits);
});
