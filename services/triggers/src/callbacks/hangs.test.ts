import { Hangs } from './hangs.js';

const HUNG = { tookMs: 15_000, hasFailed: true };
const [a, b] = [
  { orgId: 'o', sourceId: 'a' },
  { orgId: 'o', sourceId: 'b' },
];

let now: number;
let hangs: Hangs;
beforeEach(() => {
  now = 0;
  hangs = new Hangs(() => now);
});

const limitsNow = () => {
  const { limits, isResting } = hangs.limitsOf('o');
  return { ...Object.fromEntries(limits), isResting };
};

it('leaves a source alone that hung, then has it asked by one at a time, until one ends in time', () => {
  hangs.note(a, HUNG);
  hangs.note(b, { ...HUNG, tookMs: 500 });
  expect(limitsNow()).toEqual({ a: 0, isResting: true });
  now = 15_000;
  expect(limitsNow()).toEqual({ a: 1, isResting: false });
  hangs.note(a, { tookMs: 15, hasFailed: true });
  expect(limitsNow()).toEqual({ isResting: false });
});

it.each([
  ['arrived, however late', { tookMs: 15_000, hasFailed: false }],
  ['failed soon', { tookMs: 9_000, hasFailed: true }],
])('takes none for hanging that %s', (_what, end) => {
  hangs.note(a, end);
  expect(limitsNow()).toEqual({ isResting: false });
});

it('leaves it alone for longer each time, two minutes at most, and counts what hung at once as one', () => {
  const rests: number[] = [];
  for (let times = 0; times < 5; times++) {
    hangs.note(a, HUNG);
    hangs.note(a, HUNG);
    const from = now;
    while (limitsNow().isResting) now += 1_000;
    rests.push((now - from) / 1_000);
  }
  expect(rests).toEqual([15, 30, 60, 120, 120]);
});

it('forgets whom nobody had anything to tell for long', () => {
  hangs.note(a, HUNG);
  now = 3_600_000;
  hangs.note(b, HUNG);
  expect(limitsNow()).toEqual({ b: 0, isResting: true });
});

it('watches attempts, and takes what asked nobody for nothing', async () => {
  const end = { status: 'retrying' as const, httpStatus: null, errorMessage: null, inMs: 0 };
  const hang = (isSpent: boolean) => async () => {
    now += 15_000;
    return { ...end, isSpent };
  };
  await hangs.watch(a, hang(false));
  expect(limitsNow().isResting).toBe(false);
  expect(await hangs.watch(a, hang(true))).toEqual({ ...end, isSpent: true });
  expect(limitsNow().isResting).toBe(true);
  await hangs.watch(a, async () => undefined);
  expect(limitsNow().isResting).toBe(true);
});
