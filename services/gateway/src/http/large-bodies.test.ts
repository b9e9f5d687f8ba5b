import { setImmediate as nextTurn } from 'node:timers/promises';
import { LargeBodies } from './large-bodies.js';

const never = new AbortController().signal;

it('lets one body at a time be worked on, organizations in turn, and others in between', async () => {
  const large = new LargeBodies();
  const seen: string[] = [];
  const work = async (tenant: string, name: string): Promise<void> => {
    await large.waitForTurn(tenant);
    seen.push(name);
  };
  const beside = nextTurn().then(() => seen.push('beside'));
  await Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), beside]);
  expect(seen).toEqual(['a1', 'beside', 'a2', 'b1', 'a3']);
});

it('holds eight of an organization, and refuses who waits behind two hundred', async () => {
  const large = new LargeBodies();
  const held = await Promise.all(Array.from({ length: 8 }, () => large.reserve('a', never)));
  const waiting = Array.from({ length: 200 }, () => large.reserve('a', never));
  await expect(large.reserve('a', never)).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfter: 1 } });
  (await large.reserve('b', never))();
  held[0]?.();
  await expect(waiting[0]).resolves.toBeInstanceOf(Function);
});

it('lets a caller leave who waits', async () => {
  const large = new LargeBodies();
  await Promise.all(Array.from({ length: 8 }, () => large.reserve('a', never)));
  await expect(large.reserve('a', AbortSignal.abort())).rejects.toMatchObject({ code: 'TIMEOUT' });
});
