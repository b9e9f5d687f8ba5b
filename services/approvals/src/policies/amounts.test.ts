import { type JsonObject } from '@drawbridge/piece-kit';
import { amountsOf, toAmountPath } from './amounts.js';

it.each([
  ['amount', { amount: 101 }, true],
  ['amount', { amount: 100 }, false],
  ['amount', { amount: '100.01' }, true],
  ['amount', { amount: ' 1e3 ' }, true],
  ['amount', { amount: '101'.padStart(500, '0') }, true],
  ['amount', { amount: '9'.repeat(500) + 'x' }, false],
  ['amount', { amount: '9'.repeat(500) }, true],
  ['amount', { amount: 'above 100' }, false],
  ['amount', { amount: [1, 200] }, true],
  ['amount', { amount: { amount: 200 } }, false],
  ['amount', {}, false],
  ['a.b', { a: { b: 101 } }, true],
  ['a.b', { a: [{ b: 1 }, { b: 101 }] }, true],
  ['a[1].b', { a: [{ b: 101 }, { b: 1 }] }, false],
  ['a.0.b', { a: [{ b: 101 }] }, true],
  ['a', [], false],
  ['constructor.length', {}, false],
  ['toString', {}, false],
  ['lines[0][amount]', { 'lines[0][amount]': 101 }, true],
  ['lines.0.amounts', { lines: [{ amounts: [...Array(2_000).fill(1), 101] }] }, true],
  ['2024.amount', { 2024: { amount: 101 } }, true],
])('is above 100 at %s of %j: %s', (path, input, wanted) => {
  expect(amountsOf(input as JsonObject)(toAmountPath(path)) > 100).toBe(wanted);
});

it.each(['9', '9 ', ' '])('costs what it is long to read a text of many %j', (part) => {
  expect(amountsOf({ amount: `${part.repeat(1_000_000)}x` })(toAmountPath('amount'))).toBe(-Infinity);
});
