// The functions of the generated `copy` functions of messages. Each returns its value as decoding its encoded form would return it, or throws UNUSUAL.

/**
 * Thrown for a value that a copy does not handle: a value of another type than the field, text with a lone surrogate, an object of a class, deep JSON,
 * or a large message. Such a message must be encoded and decoded, which accepts or rejects it. It is one object, because a stack trace would
 * take longer than the copy.
 */
export const UNUSUAL = new Error('The message must be encoded');

/** The size up to which a message is copied: characters of text, and ELEMENT_SIZE for each element. Encoded, it is below the limit of 16 MiB. */
const MAX_SIZE = 1024 * 1024;
/** The size that each element of a list or object counts in addition to its text. */
const ELEMENT_SIZE = 8;
/** The number of levels up to which JSON is copied. The decoder accepts 32. */
const MAX_LEVELS = 16;

let size = 0;

/** Copies a message. Throws UNUSUAL if it must be encoded and decoded instead. */
export function copyMessage<T>(copy: (message: T) => T, message: T): T {
  size = 0;
  return copy(message);
}

export function text(value: string): string {
  if (typeof value !== 'string' || !value.isWellFormed()) throw UNUSUAL;
  grow(value.length);
  return value;
}

export function bool(value: boolean): boolean {
  if (typeof value !== 'boolean') throw UNUSUAL;
  return value;
}

export function int32(value: number): number {
  if ((value | 0) !== value) throw UNUSUAL;
  return value | 0; // This also turns -0 into 0.
}

export function uint32(value: number): number {
  if (value >>> 0 !== value) throw UNUSUAL;
  return value >>> 0;
}

export function double(value: number): number {
  // The codec omits -0 in some fields, so that it becomes 0.
  if (typeof value !== 'number' || Object.is(value, -0)) throw UNUSUAL;
  return value;
}

export function bytes(value: Buffer): Buffer {
  if (!Buffer.isBuffer(value)) throw UNUSUAL;
  grow(value.length);
  return Buffer.from(value);
}

export function repeated<T>(values: readonly T[], copy: (value: T) => T): T[] {
  if (!Array.isArray(values)) throw UNUSUAL;
  grow(values.length * ELEMENT_SIZE);
  const copied: T[] = [];
  for (const value of values) copied.push(copy(value));
  return copied;
}

export function map<T>(values: { [key: string]: T }, copy: (value: T) => T): { [key: string]: T } {
  const copied: { [key: string]: T } = {};
  for (const key of keysOf(values)) {
    const value = values[key];
    if (value === undefined || value === null) throw UNUSUAL;
    copied[text(key)] = copy(value);
  }
  return copied;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- JSON and the values of a oneof have the type any. */

type Choice = { $case: string; value: any };

export function choice<C extends Choice>(
  chosen: C | null | undefined,
  copies: { [K in C['$case']]: (value: Extract<C, { $case: K }>['value']) => unknown },
): C | undefined {
  if (chosen === undefined || chosen === null) return undefined;
  const { $case, value } = chosen;
  if (!Object.hasOwn(copies, $case)) throw UNUSUAL;
  return { $case, value: copies[$case as C['$case']](value) } as C;
}

export function struct(value: { [key: string]: any }): { [key: string]: any } {
  return jsonObject(value, 0);
}

export function list(values: readonly any[]): any[] {
  if (!Array.isArray(values)) throw UNUSUAL;
  return jsonList(values, 0);
}

export function json(value: any): any {
  return jsonValue(value, 0);
}

function jsonValue(value: any, depth: number): any {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (depth >= MAX_LEVELS) throw UNUSUAL;
      return Array.isArray(value) ? jsonList(value, depth) : jsonObject(value, depth);
    default:
      throw UNUSUAL;
  }
}

function jsonList(values: readonly any[], depth: number): any[] {
  grow(values.length * ELEMENT_SIZE);
  const copied: any[] = [];
  for (const value of values) copied.push(jsonValue(value, depth + 1));
  return copied;
}

function jsonObject(value: { [key: string]: any }, depth: number): { [key: string]: any } {
  const copied: { [key: string]: any } = {};
  for (const key of keysOf(value)) copied[text(key)] = jsonValue(value[key], depth + 1);
  return copied;
}

/** Returns the keys of a plain object. The key `__proto__` would set the prototype of the copy. */
function keysOf(value: object): string[] {
  if (typeof value !== 'object' || value === null) throw UNUSUAL;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw UNUSUAL;
  const keys = Object.keys(value);
  grow(keys.length * ELEMENT_SIZE);
  if (Object.hasOwn(value, '__proto__')) throw UNUSUAL;
  return keys;
}

function grow(by: number): void {
  size += by;
  if (size > MAX_SIZE) throw UNUSUAL;
}
