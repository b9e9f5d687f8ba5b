import { readFile } from 'node:fs/promises';
import { findProblems } from '../check-value.js';
import { type JsonSchema } from '../json-schema.js';
import { UsageError } from './command.js';
import { cut, type Flags, type FlagSpec, valueOf } from './flags.js';
import { line } from './output.js';
import { piped } from './read-secret.js';
import { suggestion } from './suggest.js';

type Input = Record<string, unknown>;

const MAX_STDIN_BYTES = 32 * 1024 * 1024;

/**
 * Returns a flag for each field of an input. A field is spelled as in the schema, in kebab case or in snake case, and `--input.title` always means
 * the field: the flags of the command itself, `taken`, win over fields of the same name.
 */
export function fieldFlags(schema: JsonSchema, taken: readonly FlagSpec[]): FlagSpec[] {
  const own = new Set(taken.map(({ name }) => name));
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const spellings = [field, kebab(field), kebab(field).replaceAll('-', '_')];
    const free = spellings.filter((name) => !own.has(name) && !own.has(name.replaceAll('_', '-')));
    return {
      name: free.length === spellings.length ? kebab(field) : `input.${field}`,
      also: [...free, ...spellings.map((name) => `input.${name}`)],
      value: property.type === 'boolean' ? undefined : valueName(property),
      isRepeatable: property.type === 'array' || isOpen(property),
      text: [required.has(field) ? 'Required.' : '', line(property.description ?? property.title ?? '')]
        .join(' ')
        .trim(),
    };
  });
}

/** `dueAt` and `due_at` become `due-at`. */
const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

function valueName({ type, enum: values }: JsonSchema): string {
  if (values) return cut(line(values.join('|')));
  if (type === 'string') return 'TEXT';
  if (type === 'number' || type === 'integer') return 'NUMBER';
  return type === 'array' ? 'VALUE' : 'JSON';
}

/**
 * Returns the input that the flags describe. The flags of fields override `--input`. Throws UsageError for a value that the field does not accept.
 */
export async function readInput(schema: JsonSchema, specs: readonly FlagSpec[], flags: Flags): Promise<Input> {
  const input = await readWholeInput(valueOf(flags, 'input'));
  const fields = Object.entries(schema.properties ?? {});
  fields.forEach(([field, property], index) => {
    const { name } = specs[index]!;
    const texts = flags.get(name);
    if (texts) input[field] = toValue(property, texts, `--${name}`);
  });
  return input;
}

/** Reads `@file.json`, `-` for stdin, or an object. Throws UsageError for anything else. */
export async function readWholeInput(given: string | undefined): Promise<Input> {
  if (given === undefined) return {};
  const text =
    given === '-' ? await piped(MAX_STDIN_BYTES) : given.startsWith('@') ? await fileOf(given.slice(1)) : given;
  const value = fromJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input;
  throw new UsageError('--input must be a JSON object, @file.json with one, or - to read one from stdin');
}

async function fileOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--input cannot be read: ${(error as Error).message}`);
  }
}

/** Returns the value of the texts that a flag has. Throws UsageError if they cannot be a value of the schema. */
export function toValue(schema: JsonSchema, texts: readonly string[], flag: string): unknown {
  if (schema.type === 'array') return texts.flatMap((text) => toItems(schema, text, flag));
  if (texts.length > 1 && !isOpen(schema))
    throw new UsageError(`${flag} takes one value, and was given ${texts.length}`);
  const [text = ''] = texts;
  if (schema.enum) return oneOf(schema.enum, text, flag);
  switch (schema.type) {
    case 'string':
      return text;
    case 'number':
    case 'integer':
      return toNumber(schema.type, text, flag);
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw wrong(flag, 'true or false', text);
    case 'object':
      return toObject(text, flag);
    default:
      return toAny(schema, texts, flag);
  }
}

/** Returns true if the schema accepts any value. A flag that is repeated for such a field can only mean a list. */
const isOpen = ({ type, enum: values }: JsonSchema): boolean => !type && !values;

/** A JSON list adds its items; another text is one item. */
function toItems({ items = {} }: JsonSchema, text: string, flag: string): unknown[] {
  const list = text.startsWith('[') ? fromJson(text) : undefined;
  return Array.isArray(list) ? list : [toValue(items, [text], flag)];
}

function oneOf(values: NonNullable<JsonSchema['enum']>, text: string, flag: string): unknown {
  const found = values.find((value) => String(value) === text);
  if (found !== undefined) return found;
  const names = values.map(String);
  throw new UsageError(`${flag} must be one of ${names.join(', ')} (got ${cut(text)}).${suggestion(text, names)}`);
}

function toNumber(type: 'number' | 'integer', text: string, flag: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)) return value;
  throw wrong(flag, type === 'integer' ? 'an integer' : 'a number', text);
}

function toObject(text: string, flag: string): object {
  const value = fromJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw wrong(flag, 'a JSON object', text);
}

/** Uses the first alternative that the value matches. If none matches, JSON is parsed, and any other value stays a string. */
function toAny({ anyOf = [] }: JsonSchema, texts: readonly string[], flag: string): unknown {
  for (const schema of anyOf) {
    try {
      const value = toValue(schema, texts, flag);
      if (fits(schema, value)) return value;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }
  const values = texts.map((text) => fromJson(text) ?? (text === 'null' ? null : text));
  return values.length > 1 ? values : values[0];
}

const fits = (schema: JsonSchema, value: unknown): boolean => Object.keys(findProblems(schema, value, '')).length === 0;

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const wrong = (flag: string, expected: string, text: string): UsageError =>
  new UsageError(`${flag} must be ${expected} (got ${cut(text)})`);
