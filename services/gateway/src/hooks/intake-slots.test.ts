import { type Release } from '@drawbridge/turns';
import { intakeSlots, type Sender } from './intake-slots.js';

const APP = 'slack/app';
const FLOOD = 1_500;
const SLOTS_OF_A_NETWORK = 24;

const never = new AbortController().signal;
/** All requests have gone as far as they can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function intake() {
  const slots = intakeSlots();
  const request = (sender: Sender) => {
    const held: Release[] = [];
    const its = { isServed: false, end };
    function end(): void {
      its.isServed = false;
      for (const release of held.splice(0)) release();
    }
    void slots.take(sender, never, (release) => void held.push(release)).then(() => (its.isServed = true));
    return its;
  };
  return { ...slots, request };
}

const many = <T>(count: number, ask: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => ask(at));

it('serves a network whose event was accepted while 1,500 requests of other networks wait for the same hook', async () => {
  const { request, accepted } = intake();
  accepted({ hook: APP, network: 'provider' });
  const flood = many(FLOOD, (at) => request({ hook: APP, network: `stranger-${at % 500}` }));
  await settled();
  const event = request({ hook: APP, network: 'provider' });
  await settled();
  expect([event.isServed, flood.some(({ isServed }) => !isServed)]).toEqual([true, true]);
});

it('serves a network that is new to a hook after as many requests of the network that floods it as are under way', async () => {
  const { request } = intake();
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

it('holds no slot of a hook for a network that waits for slots of its own', async () => {
  const { request } = intake();
  many(SLOTS_OF_A_NETWORK, (at) => request({ hook: `http/${at}`, network: 'stranger' }));
  many(FLOOD, () => request({ hook: APP, network: 'stranger' }));
  await settled();
  const events = many(2, () => request({ hook: APP, network: 'provider' }));
  await settled();
  expect(events.map(({ isServed }) => isServed)).toEqual([true, true]);
});

it('leaves slots of a network to other hooks while many networks wait for one', async () => {
  const { request } = intake();
  many(FLOOD, (at) => request({ hook: APP, network: `stranger-${at % 500}` }));
  many(2 * SLOTS_OF_A_NETWORK, () => request({ hook: APP, network: 'provider' }));
  await settled();
  const event = request({ hook: 'slack/other', network: 'provider' });
  await settled();
  expect(event.isServed).toBe(true);
});
