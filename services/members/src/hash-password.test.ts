import { pbkdf2, scryptSync } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type CallContext, runInContext } from '@drawbridge/rpc';
import { hashPassword, isPassword } from './hash-password.js';

/** The tests share this hash, because computing one takes 0.2 s. */
const STORED = await hashPassword('correct horse');

it('can be verified with only the stored text', () => {
  const [name, cost = '', salt = '', hash] = STORED.split('$');
  expect({ name, cost }).toEqual({ name: 'scrypt', cost: 'N=32768,r=8,p=3' });
  const parameters = Object.fromEntries(cost.split(',').map((pair) => pair.split('='))) as Record<string, string>;
  const [N, r, p] = [Number(parameters['N']), Number(parameters['r']), Number(parameters['p'])];
  const derived = scryptSync('correct horse', Buffer.from(salt, 'base64'), 32, { N, r, p, maxmem: 2 ** 26 });
  expect(derived.toString('base64')).toBe(hash);
});

it('differs for the same password', async () => {
  expect(await hashPassword('correct horse')).not.toBe(STORED);
});

it('leaves the process free for others', async () => {
  let isDone = false;
  const hashing = hashPassword('slow').then(() => (isDone = true));
  let turns = 0;
  for (; !isDone; turns++) await nextTurn();
  await hashing;
  expect(turns).toBeGreaterThan(100);
});

it('leaves threads for other work during many concurrent requests', async () => {
  const stored = cheapHash('x', 2 ** 14); // slow enough that no hash ends before all of them have begun or wait
  let hashed = 0;
  const hashes = Promise.allSettled(Array.from({ length: 10 }, () => isPassword('x', stored).then(() => hashed++)));
  await promisify(pbkdf2)('as a new connection to PostgreSQL does', 'salt', 1_000, 32, 'sha256');
  expect(hashed).toBeLessThan(3);
  await hashes; // On a slow machine, the last hashes wait for more than 5 s.
});

/** Returns a hash with a low cost, so that many comparisons are fast. */
function cheapHash(password: string, N = 1024): string {
  const salt = Buffer.from('salt');
  const hash = scryptSync(password, salt, 32, { N, r: 8, p: 1 });
  return `scrypt$N=${N},r=8,p=1$${salt.toString('base64')}$${hash.toString('base64')}`;
}

it('is refused if too many wait for one address, but not for others', async () => {
  const stored = cheapHash('x');
  const as = (network: string) => isPassword('x', stored, { isKnown: false, network });
  const many = Array.from({ length: 110 }, () => as('one address').catch(({ code }) => code));
  expect(await as('another')).toBe(true);
  const answers = await Promise.all(many);
  expect(answers.filter((answer) => answer === 'RATE_LIMITED').length).toBeGreaterThan(5);
  expect(answers.filter((answer) => answer === true).length).toBeGreaterThan(90);
});

it('is checked for a known person while strangers of 40 networks wait', async () => {
  const stored = cheapHash('x');
  let checked = 0;
  const strangers = Array.from({ length: 40 }, (_, at) =>
    isPassword('x', stored, { isKnown: false, network: `192.0.2.${at}` }).then(() => checked++),
  );
  expect(await isPassword('x', stored, { isKnown: true, network: '198.51.100.1' })).toBe(true);
  expect(checked).toBeLessThan(20);
  await Promise.all(strangers);
});

it.each([
  ['5 s', 10_000, 5_000],
  ['less than its caller waits, if another password was checked before', 3_000, 2_000],
])('is refused after a wait of %s', async (_, leftMs, waitMs) => {
  import.meta.jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  try {
    const context = { deadline: Date.now() + leftMs, signal: new AbortController().signal } as CallContext;
    const hashes = Array.from({ length: 8 }, () =>
      runInContext(context, () => hashPassword('many')).catch(({ code, details }) => ({ code, details })),
    );
    import.meta.jest.advanceTimersByTime(waitMs);
    const refused = (await Promise.all(hashes)).filter((answer) => typeof answer !== 'string');
    expect(refused.length).toBeGreaterThanOrEqual(6);
    for (const answer of refused) expect(answer).toEqual({ code: 'RATE_LIMITED', details: { retryAfter: 10 } });
  } finally {
    import.meta.jest.useRealTimers();
  }
});

it('matches only its password, at any cost factor', async () => {
  expect(await isPassword('correct horse', STORED)).toBe(true);
  expect(await isPassword('correct hors', STORED)).toBe(false);
  expect(await isPassword('old', cheapHash('old'))).toBe(true);
});

it.each(['', 'plain', 'scrypt$N=1024,r=8,p=1$$', 'bcrypt$x$y$z'])(
  'matches no password if its format is unknown: %s',
  async (stored) => {
    expect(await isPassword('', stored)).toBe(false);
  },
);
