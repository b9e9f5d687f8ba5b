import { fallenRows, toRatios } from '../bench/ratios.mjs';

/** Returns made-up figures of one mode: the calls per second of each subject in each round. */
const figuresOf = (rates, mode = '32 in flight') =>
  Object.entries(rates).flatMap(([subject, its]) =>
    its.map((rate, index) => ({ subject, mode, round: index + 1, rate })),
  );

it('compares the subjects of the same round, and takes the median of the rounds', () => {
  const figures = figuresOf({ execute: [100, 20, 300], proxy: [1_000, 100, 2_000] });
  expect(toRatios(figures)).toEqual({ 'execute ÷ proxy': 0.15 });
});

it('does not depend on the speed of the machine', () => {
  const [fast, slow] = [1, 0.25].map((speed) => figuresOf({ execute: [100 * speed], proxy: [800 * speed] }));
  expect(toRatios(slow)).toEqual(toRatios(fast));
});

it('compares one process with two by the calls per second of processor time', () => {
  const mode = '32 in flight';
  const figures = [
    { subject: 'execute', mode, round: 1, rate: 100, cpu: 1 },
    { subject: 'execute, 2 processes', mode, round: 1, rate: 120, cpu: 1.25 },
  ];
  expect(toRatios(figures)).toEqual({ 'calls per CPU second, 2 processes ÷ 1': 0.8 });
});

it('omits rows of subjects that were not measured, and figures of other modes', () => {
  expect(toRatios(figuresOf({ execute: [100] }))).toEqual({});
  expect(toRatios(figuresOf({ execute: [100], proxy: [800] }, '50 a second'))).toEqual({});
});

it.each([
  ['a row that rose', 0.2, []],
  ['a row that fell by 15 %', 0.085, []],
  ['a row that fell by 20 %', 0.08, ['execute ÷ proxy fell by 20 %, from 0.1 to 0.08']],
])('reports %s', (_row, now, fallen) => {
  expect(fallenRows({ 'execute ÷ proxy': now, 'summary ÷ proxy': 1 }, { 'execute ÷ proxy': 0.1 })).toEqual(fallen);
});

it('refuses to compare with nothing', () => {
  expect(() => fallenRows({ 'execute ÷ proxy': 0.1 }, undefined)).toThrow('pnpm bench --keep');
  expect(() => fallenRows({}, { 'execute ÷ proxy': 0.1 })).toThrow('pnpm bench --keep');
});
