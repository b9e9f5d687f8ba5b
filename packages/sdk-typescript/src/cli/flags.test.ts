import { UsageError } from './command.js';
import { readFlags } from './flags.js';
import { suggestion } from './suggest.js';
import { SPECS } from '../testing/flag-specs.js';

const read = (...args: string[]): [string[], Record<string, readonly string[]>] => {
  const { positionals, flags } = readFlags(args, SPECS);
  return [positionals, Object.fromEntries(flags)];
};

describe('readFlags', () => {
  it.each<[string[], string[], Record<string, string[]>]>([
    [['--end-user', 'ann'], [], { 'end-user': ['ann'] }],
    [['--end_user=ann', 'b'], ['b'], { 'end-user': ['ann'] }],
    [['--end-user', '- a'], [], { 'end-user': ['- a'] }],
    [['--end-user', '-'], [], { 'end-user': ['-'] }],
    [['--end-user', '-5'], [], { 'end-user': ['-5'] }],
    [['--end-user=--x'], [], { 'end-user': ['--x'] }],
    [['--end-user='], [], { 'end-user': [''] }],
    [['--label', 'a', '--l_abel', 'b=c'], [], { label: ['a', 'b=c'] }],
    [['--draft', 'a'], ['a'], { draft: ['true'] }],
    [['--draft=false'], [], { draft: ['false'] }],
    [['--no-draft'], [], { draft: ['false'] }],
    [['--no-open', '-h'], [], { 'no-open': ['true'], help: ['true'] }],
    [['--', '--draft'], ['--draft'], {}],
    [['--draft', '--', 'a', '--'], ['a', '--'], { draft: ['true'] }],
    [['--end-user', 'a\nb', '--label=c\nd'], [], { 'end-user': ['a\nb'], label: ['c\nd'] }],
  ])('reads %j', (args, positionals, flags) => expect(read(...args)).toEqual([positionals, flags]));

  it.each([
    [['--end-usr', 'a'], 'Unknown flag --end-usr. Did you mean --end-user?'],
    [['--__proto__=1'], 'Unknown flag --__proto__.'],
    [['--constructor'], 'Unknown flag --constructor.'],
    [['-x'], 'Unknown flag -x.'],
    [['--no-label'], 'Unknown flag --no-label. Did you mean --label?'],
    [['--end-user'], '--end-user needs a value.'],
    [['--end-user', '--draft'], '--end-user needs a value.'],
    [['--draft=maybe'], '--draft must be true or false (got maybe)'],
    [['--end-user', 'a', '--end_user', 'b'], '--end-user was given twice'],
  ])('refuses %j', (args, message) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(message);
  });

  it('stops at the first argument that is no flag, and refuses unknown flags before it', () => {
    const first = (...args: string[]) => readFlags(args, SPECS, { isUntilFirst: true });
    expect(first('--draft', 'run', '--strange', 'x')).toEqual({
      positionals: ['run'],
      flags: new Map([['draft', ['true']]]),
    });
    expect(() => first('--strange', 'x', 'run')).toThrow('Unknown flag --strange');
  });
});

describe('suggestion', () => {
  const KNOWN = ['github', 'gitlab', 'create_issue', '--end-user'];

  it.each([
    ['githb', ' Did you mean github?'],
    ['createIssue', ' Did you mean create_issue?'],
    ['--enduser', ' Did you mean --end-user?'],
    ['', ''],
    ['--', ''],
    ['x', ''],
    ['slack', ''],
  ])('suggests for %j%s', (given, expected) => expect(suggestion(given, KNOWN)).toBe(expected));
});
