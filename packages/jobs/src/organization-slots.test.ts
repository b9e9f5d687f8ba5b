import { NONE, Slots } from './organization-slots.js';

const SHARE = { organization: 8, target: 2 };
const newSlots = (limits = {}) => new Slots({ process: 40, bytes: 1_000, ...limits });
const of = (orgId: string, target = NONE) => ({ orgId, target });

describe('an organization', () => {
  it('has its share, and no more until one of its jobs ends', () => {
    const slots = newSlots();
    expect([slots.take(of('a'), SHARE), slots.take(of('a'), SHARE)]).toEqual([8, 0]);
    expect(slots.fullOrganizations).toEqual(['a']);
    slots.release(of('a'));
    expect([slots.fullOrganizations, slots.take(of('a'), SHARE)]).toEqual([[], 1]);
  });

  it('keeps the second half of its slots for targets that have none', () => {
    const slots = newSlots();
    const taken = ['t1', 't2', 't1', 't2', 't3', 't3', 't4'].map((target) => slots.take(of('a', target), SHARE));
    expect(taken).toEqual([2, 2, 0, 0, 1, 0, 1]);
  });

  it('has one slot where half of a process is taken, and none where it has one', () => {
    const slots = newSlots();
    for (const orgId of ['a', 'b', 'c']) slots.take(of(orgId), SHARE);
    expect(slots.take(of('d'), SHARE)).toBe(1);
    expect([slots.take(of('d'), SHARE), slots.take(of('a'), SHARE)]).toEqual([0, 0]);
    expect(slots.fullOrganizations).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes no more than half of a process at once', () => {
    const slots = newSlots({ process: 10 });
    expect([slots.take(of('a'), SHARE), slots.take(of('b'), SHARE)]).toEqual([5, 1]);
  });
});

it('gives a target no more than its circuit breaker allows', () => {
  const slots = newSlots();
  expect([slots.take(of('a', 't'), SHARE, 0), slots.take(of('a', 't'), SHARE, 1)]).toEqual([0, 1]);
  expect(slots.take(of('a', 't'), SHARE, 1)).toBe(0);
});

it('counts bytes like slots: scarce from half on, and none beyond', () => {
  const slots = newSlots();
  slots.take(of('a'), SHARE);
  slots.addBytes(500);
  expect([slots.take(of('a'), SHARE), slots.take(of('b'), SHARE), slots.isFull]).toEqual([0, 1, false]);
  slots.addBytes(500);
  expect([slots.isFull, slots.take(of('c'), SHARE)]).toEqual([true, 0]);
  slots.addBytes(-501);
  expect(slots.take(of('c'), SHARE)).toBe(8);
});

it('is full when every slot is taken', () => {
  const slots = newSlots({ process: 4 });
  for (const orgId of ['a', 'b', 'c', 'd']) slots.take(of(orgId), SHARE);
  expect([slots.isFull, slots.take(of('e'), SHARE)]).toEqual([true, 0]);
});
