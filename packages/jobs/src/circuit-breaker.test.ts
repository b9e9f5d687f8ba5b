import { CircuitBreaker } from './circuit-breaker.js';

const HUNG = { tookMs: 15_000, hasFailed: true };
const [a, b] = [
  { orgId: 'o', target: 'a' },
  { orgId: 'o', target: 'b' },
];

let now: number;
let breaker: CircuitBreaker;
beforeEach(() => {
  now = 0;
  breaker = new CircuitBreaker(() => now);
});

const limits = () => [breaker.limitOf(a), breaker.limitOf(b)];

it('pauses a target that hung, then tries one at a time, until one ends in time', () => {
  breaker.note(a, HUNG);
  breaker.note(b, { ...HUNG, tookMs: 500 });
  expect([limits(), breaker.open]).toEqual([[0, undefined], 1]);
  now = 15_000;
  expect(limits()).toEqual([1, undefined]);
  breaker.note(a, { tookMs: 15, hasFailed: true });
  expect([limits(), breaker.open]).toEqual([[undefined, undefined], 0]);
});

it.each([
  ['was successful, however late', { tookMs: 15_000, hasFailed: false }],
  ['failed soon', { tookMs: 9_000, hasFailed: true }],
])('stays closed after an attempt that %s', (_what, attempt) => {
  breaker.note(a, attempt);
  expect(limits()).toEqual([undefined, undefined]);
});

it('pauses for longer each time, two minutes at most, and counts what hung at once as one', () => {
  const pauses: number[] = [];
  for (let times = 0; times < 5; times++) {
    breaker.note(a, HUNG);
    breaker.note(a, HUNG);
    const from = now;
    while (breaker.limitOf(a) === 0) now += 1_000;
    pauses.push((now - from) / 1_000);
  }
  expect(pauses).toEqual([15, 30, 60, 120, 120]);
});

it('forgets targets that no job was for in a long time', () => {
  breaker.note(a, HUNG);
  now = 3_600_000;
  breaker.note(b, HUNG);
  expect([limits(), breaker.open]).toEqual([[undefined, 0], 1]);
});
