import { newTurn } from './turn.js';

let now: number;
beforeEach(() => (now = 0));
const turn = () => newTurn(() => now);
const never = (): boolean => false;
const always = (): boolean => true;

it('looks once, and is over where nothing is left', async () => {
  const its = turn();
  expect(await its.goesOn(never)).toBe(true);
  its.onLook(false);
  expect([await its.goesOn(never), its.waitsFor()]).toEqual([false, undefined]);
});

it('looks again where something came meanwhile', async () => {
  const its = turn();
  await its.goesOn(never);
  its.onNews();
  its.onLook(false);
  expect(await its.goesOn(never)).toBe(true);
});

it('waits for the end of an attempt where there is more', async () => {
  const its = turn();
  await its.goesOn(always);
  its.onLook(true);
  const again = its.goesOn(always);
  its.onEnd();
  expect(await again).toBe(true);
});

it('is over while attempts hang, and held back where there is more', async () => {
  const its = turn();
  await its.goesOn(always);
  its.onLook(true);
  expect([await its.goesOn(always), its.waitsFor()]).toEqual([false, 'attempt']);
});

it('is over where all that is left is of receivers that hang', async () => {
  const its = turn();
  await its.goesOn(never);
  its.onLook(false, true);
  expect([await its.goesOn(never), its.waitsFor()]).toEqual([false, 'rest']);
});

it('leaves to the next what came, or may be begun, when its time was over', async () => {
  const its = turn();
  await its.goesOn(always);
  its.onLook(true);
  its.onEnd();
  now = 60_000;
  expect([await its.goesOn(always), its.waitsFor()]).toEqual([false, undefined]);
});

it('is over while something of ours is away', async () => {
  const its = turn();
  await its.goesOn(always);
  its.onNews();
  its.onOutage();
  expect([await its.goesOn(always), its.waitsFor()]).toEqual([false, 'outage']);
});
