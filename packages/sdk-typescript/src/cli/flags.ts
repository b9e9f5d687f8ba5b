import { UsageError } from './command.js';
import { suggestion } from './suggest.js';

/** A flag that a command takes. */
export interface FlagSpec {
  /** With dashes: `end-user`. It may also be written with underscores. */
  name: string;
  /** The placeholder of its value in the help, such as `ID`. A flag without a placeholder takes no value: it is true or false. */
  value?: string;
  text: string;
  isRepeatable?: boolean;
  /** Further spellings. */
  also?: readonly string[];
}

/** The values of the flags, by their names. */
export type Flags = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the arguments of a command. Throws UsageError for an unknown flag, a flag without its value and a flag that is repeated and must not be.
 * With `isUntilFirst` it stops at the first argument that is not a flag. It replaces `util.parseArgs`, which takes quadratic time for many arguments.
 */
export function readFlags(
  args: readonly string[],
  specs: readonly FlagSpec[],
  { isUntilFirst = false }: { isUntilFirst?: boolean } = {},
): { positionals: string[]; flags: Flags } {
  const known = spellings(specs);
  const positionals: string[] = [];
  const flags = new Map<string, string[]>();
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  for (let at = 0; at < end; at++) {
    const arg = args[at]!;
    if (!arg.startsWith('-') || arg === '-') {
      positionals.push(arg);
      if (isUntilFirst) return { positionals, flags };
      continue;
    }
    const { name, value, isNextUsed } = readFlag(arg, args[at + 1], known);
    const values = flags.get(name);
    if (values) values.push(value);
    else flags.set(name, [value]);
    if (isNextUsed) at++;
  }
  for (const { name, isRepeatable } of specs) {
    if (!isRepeatable && (flags.get(name)?.length ?? 0) > 1) throw new UsageError(`--${name} was given twice`);
  }
  return { positionals: positionals.concat(args.slice(end + 1)), flags };
}

/** Returns the flags by all of their spellings. The name of a flag wins over a further spelling of another. */
function spellings(specs: readonly FlagSpec[]): Map<string, FlagSpec> {
  const known = new Map(specs.map((spec) => [spec.name, spec]));
  for (const spec of specs) {
    for (const name of [...(spec.also ?? []), spec.name.replaceAll('-', '_')]) {
      if (!known.has(name)) known.set(name, spec);
    }
  }
  return known;
}

function readFlag(arg: string, next: string | undefined, known: Map<string, FlagSpec>) {
  const [, dashes, given = '', inline] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(arg)!;
  const spec = known.get(given);
  if (!spec) {
    const denied = known.get(given.replace(/^no-/, ''));
    if (denied && !denied.value && inline === undefined) return { name: denied.name, value: 'false' };
    const names = [...new Set([...known.values()].map(({ name }) => `--${name}`))];
    throw new UsageError(`Unknown flag ${dashes}${cut(given)}.${suggestion(given, names)}`);
  }
  const { name } = spec;
  if (!spec.value) {
    if (inline === undefined || inline === 'true' || inline === 'false') return { name, value: inline ?? 'true' };
    throw new UsageError(`--${name} must be true or false (got ${cut(inline)})`);
  }
  if (inline !== undefined) return { name, value: inline };
  if (next !== undefined && !next.startsWith('--')) return { name, value: next, isNextUsed: true };
  throw new UsageError(`--${name} needs a value. If the value begins with --, write --${name}=VALUE.`);
}

const SHOWN_CHARACTERS = 80;

/** Returns the part of a given text that an error shows. */
export const cut = (text: string): string =>
  text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;

/** Returns the value of a flag that is not repeatable. */
export const valueOf = (flags: Flags, name: string): string | undefined => flags.get(name)?.[0];

export const isSet = (flags: Flags, name: string): boolean => valueOf(flags, name) === 'true';

/** Returns the value of a flag. Throws UsageError without one. */
export function requireFlag(flags: Flags, name: string, advice: string): string {
  const value = valueOf(flags, name);
  if (value !== undefined && value !== '') return value;
  throw new UsageError(`--${name} is missing: ${advice}`);
}

/** Throws UsageError unless the value is one of the set. */
export function requireOneOf(flags: Flags, name: string, allowed: readonly string[]): string | undefined {
  const value = valueOf(flags, name);
  if (value === undefined || allowed.includes(value)) return value;
  throw new UsageError(
    `--${name} must be one of ${allowed.join(', ')} (got ${cut(value)}).${suggestion(value, allowed)}`,
  );
}
