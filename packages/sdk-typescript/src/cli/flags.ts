import { parseArgs } from 'node:util';
import { UsageError } from './command.js';
import { suggestion } from './suggest.js';

/** A flag that a command takes. */
export interface FlagSpec {
  /** With dashes: `end-user`. It may also be written with underscores. */
  name: string;
  /** A name for its value, such as `ID`. A flag without one is true or false. */
  value?: string;
  text: string;
  isRepeatable?: boolean;
  /** Further spellings. */
  also?: readonly string[];
}

/** The values of the flags, by their names. */
export type Flags = ReadonlyMap<string, readonly string[]>;

/** Arguments as they were read. */
export interface Arguments {
  positionals: string[];
  flags: Flags;
}

/**
 * Reads the arguments of a command. Throws UsageError for an unknown flag, a flag without its value and a flag that is repeated and must not be.
 * With `isUntilFirst` it stops at the first argument that is no flag.
 */
export function readFlags(
  args: readonly string[],
  specs: readonly FlagSpec[],
  { isUntilFirst = false }: { isUntilFirst?: boolean } = {},
): Arguments {
  const known = spellings(specs);
  const options = [...known].map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }] as const);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const positionals: string[] = [];
  const flags = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (isUntilFirst && positionals.length > 0) break;
    if (token.kind !== 'option') continue;
    const { name, value } = read(token, known);
    const values = flags.get(name);
    if (values) values.push(value);
    else flags.set(name, [value]);
  }
  for (const { name, isRepeatable } of specs) {
    if (!isRepeatable && (flags.get(name)?.length ?? 0) > 1) throw new UsageError(`--${name} was given twice`);
  }
  return { positionals, flags };
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

interface Token {
  name: string;
  rawName: string;
  value?: string;
  inlineValue?: boolean;
}

function read({ name, rawName, value, inlineValue }: Token, known: Map<string, FlagSpec>) {
  const spec = known.get(name);
  if (!spec) {
    const denied = known.get(name.replace(/^no-/, ''));
    if (denied && !denied.value && value === undefined) return { name: denied.name, value: 'false' };
    const names = [...new Set([...known.values()].map((one) => `--${one.name}`))];
    throw new UsageError(`Unknown flag ${rawName}.${suggestion(name, names)}`);
  }
  if (!spec.value) {
    if (value === undefined || value === 'true' || value === 'false')
      return { name: spec.name, value: value ?? 'true' };
    throw new UsageError(`${rawName} must be true or false (got ${value})`);
  }
  if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    throw new UsageError(`${rawName} needs a value. If the value begins with --, write ${rawName}=VALUE.`);
  }
  return { name: spec.name, value };
}

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
  throw new UsageError(`--${name} must be one of ${allowed.join(', ')} (got ${value}).${suggestion(value, allowed)}`);
}
