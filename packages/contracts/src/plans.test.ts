import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PLANS, type Limits } from './plans.js';

it('docs/limits.md lists every limit of every plan', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/limits.md'), 'utf8');
  const [, table = ''] = page.split('a test compares this table with the code');
  const rows = table
    .split('## ')[0]!
    .match(/^\|.*\|$/gm)!
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const [[, , ...names], , ...limits] = rows as [string[], string[], ...string[][]];
  const say = (value: number | boolean | null): string =>
    value === null ? 'no limit' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : value.toLocaleString('en-US');
  const listed = limits.map(([key, , ...values]) => [key, ...values]);
  const keys = Object.keys(DEFAULT_PLANS['free']!) as (keyof Limits)[];
  expect(names).toEqual(Object.keys(DEFAULT_PLANS).map((name) => `\`${name}\``));
  expect(listed).toEqual(
    keys.map((key) => [`\`${key}\``, ...Object.values(DEFAULT_PLANS).map((plan) => say(plan[key]))]),
  );
});
