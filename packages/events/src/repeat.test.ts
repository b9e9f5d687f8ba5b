import { setImmediate as turn } from 'node:timers/promises';
import { quietLog } from './fixtures/messages.js';
import { repeat } from './repeat.js';

const soon = (): number => Date.now() + 10_000;

describe('repeating', () => {
  it('runs one round after the other, even if woken often', async () => {
    const ends: (() => void)[] = [];
    let [atWork, most, turns] = [0, 0, 0];
    const work = repeat({ name: 'counting', everyMs: 60_000, log: quietLog() }, async () => {
      most = Math.max(most, ++atWork);
      await new Promise<void>((resolve) => ends.push(resolve));
      atWork -= 1;
      turns += 1;
    });
    await work.start();
    for (let wakes = 0; wakes < 10; wakes++) {
      work.wake();
      ends.shift()?.();
      await turn();
    }
    const end = work.stop(soon());
    ends.forEach((finish) => finish());
    await end;
    expect(most).toBe(1);
    expect(turns).toBeGreaterThan(1);
  });

  it('continues after a failed round', async () => {
    let turns = 0;
    const work = repeat({ name: 'failing', everyMs: 1, log: quietLog() }, async () => {
      turns += 1;
      throw new Error('no');
    });
    await work.start();
    while (turns < 3) await turn();
    await work.stop(soon());
  });

  it('ends at its deadline while a round hangs', async () => {
    const work = repeat({ name: 'hanging', everyMs: 1, log: quietLog() }, () => new Promise(() => undefined));
    await work.start();
    await work.stop(Date.now() + 20);
  });
});
