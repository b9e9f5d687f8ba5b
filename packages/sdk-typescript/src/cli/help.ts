import { type Command } from './command.js';
import { type FlagSpec } from './flags.js';
import { line, table } from './output.js';

/** Flags of every command. */
export const EVERYWHERE: readonly FlagSpec[] = [
  { name: 'json', text: 'Print JSON on stdout, and messages on stderr.' },
  { name: 'insecure', text: 'Allow an http address that is not on this machine.' },
  { name: 'help', text: 'Show this text.', also: ['h'] },
];

/** Returns the help of the program. */
export function helpOfProgram(commands: readonly Command[]): string {
  return [
    'Usage: drawbridge <command> [arguments] [flags]',
    '',
    table(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    'drawbridge <command> --help shows the flags of a command.',
    '',
    'Exit codes: 0 done, 1 refused or failed, 2 wrong arguments, 130 interrupted.',
  ].join('\n');
}

/** Returns the help of a command. */
export function helpOfCommand({ name, usage, summary, flags, notes = [] }: Command): string {
  return [
    `Usage: drawbridge ${`${name} ${usage}`.trim()}`,
    '',
    `${line(summary)}.`,
    '',
    table([...flags, ...EVERYWHERE].map((flag) => [`  ${spelled(flag)}`, flag.text])),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}

/** Returns `--title TEXT`. */
export const spelled = ({ name, value, isRepeatable }: FlagSpec): string =>
  `--${name}${value ? ` ${value}` : ''}${isRepeatable ? ' …' : ''}`;
