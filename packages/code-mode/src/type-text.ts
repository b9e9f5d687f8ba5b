import { type JsonSchema } from '@drawbridge/piece-kit';
import { toComment, toKey, toLiteral } from './source-text.js';

/** The name of the type that accepts any JSON value. */
export const ANY_JSON = 'Json';
/** The name of the type of a file that is sent as JSON. */
export const FILE_INPUT = 'FileInput';
/** The declared type of a file. It has a name, because it is frequent. */
export const FILE_TYPE = '{ filename: string; mimeType: string; base64: string }';
/** The type of an object without keys. `{}` would accept every key. */
export const NO_KEYS = 'Record<string, never>';

const MAX_DEPTH = 20;
const MAX_COMMENT = 160;
/** Length limits above this number are omitted from descriptions: models rarely exceed them, and the validator's error states them. */
const NARROW = 500;

export interface TypeStyle {
  /** Set to add the descriptions of keys as comments. */
  hasComments: boolean;
  depth?: number;
}

/**
 * Returns the TypeScript type of the values that a schema accepts. Rules that TypeScript cannot express, such as patterns and lengths, are omitted,
 * and schemas nested deeper than 20 levels become `Json`. The type is then wider than the schema.
 */
export function toType(schema: JsonSchema | boolean, style: TypeStyle): string {
  const depth = (style.depth ?? 0) + 1;
  if (typeof schema === 'boolean' || depth > MAX_DEPTH) return ANY_JSON;
  const inner = { ...style, depth };
  if (schema.enum) return toUnion(schema.enum.map(toValueType));
  if (schema.anyOf?.every(isTyped)) return toUnion(schema.anyOf.map((one) => toType(one, inner)));
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array':
      return toArray(schema.items ?? {}, inner);
    case 'object':
      return toObject(schema, inner);
    default:
      return ANY_JSON;
  }
}

function toValueType(value: string | number | boolean): string {
  return typeof value === 'string' ? toLiteral(value) : String(value);
}

/** Returns whether an alternative of `anyOf` has a type. Without a type, it only restricts the enclosing schema, for example by requiring keys. */
function isTyped(schema: JsonSchema): boolean {
  return schema.type !== undefined || schema.enum !== undefined || schema.anyOf !== undefined;
}

function toUnion(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ');
}

function toArray(items: JsonSchema, style: TypeStyle): string {
  const item = toType(items, style);
  return items.enum || items.anyOf ? `(${item})[]` : `${item}[]`;
}

function toObject(schema: JsonSchema, style: TypeStyle): string {
  const members = toMembers(schema, style);
  if (members.length === 0) return NO_KEYS;
  const isFile = `{ ${members.map(({ bare }) => bare).join('; ')} }` === FILE_TYPE;
  return isFile ? FILE_INPUT : `{ ${members.map(({ text }) => text).join('; ')} }`;
}

export interface Member {
  /** The member with its comment. */
  text: string;
  /** The member without its comment. */
  bare: string;
  isOptional: boolean;
}

/** Returns the members of the type of an object, in the order of the schema. */
export function toMembers(schema: JsonSchema, style: TypeStyle): Member[] {
  const { properties = {}, required = [], additionalProperties: others = true } = schema;
  const needed = new Set(required);
  const undeclared = required.filter((key) => !Object.hasOwn(properties, key)).map((key) => [key, {}] as const);
  const types: string[] = [];
  const members = [...Object.entries(properties), ...undeclared].map(([key, value]) => {
    const type = toType(value, style);
    types.push(type);
    const bare = `${toKey(key)}${needed.has(key) ? '' : '?'}: ${type}`;
    const comment = style.hasComments ? toComment(describe(key, value), MAX_COMMENT) : '';
    return { text: comment ? `${comment} ${bare}` : bare, bare, isOptional: !needed.has(key) };
  });
  if (others === false) return members;
  const rest = toType(others, style);
  const all = rest === ANY_JSON ? [ANY_JSON] : [rest, ...types];
  const value = toUnion(members.some(({ isOptional }) => isOptional) ? [...all, 'undefined'] : all);
  const bare = `[key: string]: ${value}`;
  return [...members, { text: bare, bare, isOptional: true }];
}

/** Returns the description of a key, or its title if the title differs from the key, and the limits of numbers. */
function describe(key: string, schema: JsonSchema): string {
  const { title = '', description = '' } = schema;
  const text = description || (toWords(title) === toWords(key) ? '' : title);
  return [text, limitsOf(schema)].filter((part) => part !== '').join(' ');
}

function toWords(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function limitsOf({ type, minimum, maximum, maxLength, minItems, maxItems }: JsonSchema): string {
  const limits = [
    type === 'integer' && 'integer',
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    maxLength !== undefined && maxLength <= NARROW && `at most ${maxLength} characters`,
    minItems !== undefined && `at least ${minItems} items`,
    maxItems !== undefined && maxItems <= NARROW && `at most ${maxItems} items`,
  ].filter((limit) => limit !== false);
  return limits.length === 0 ? '' : `(${limits.join(', ')})`;
}
