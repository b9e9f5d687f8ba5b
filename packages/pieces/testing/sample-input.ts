import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Action, JsonObject, JsonSchema, JsonValue, Property } from '@drawbridge/piece-kit';

const CANDIDATES: JsonValue[] = [
  'sample',
  1,
  true,
  'owner/name',
  'ann@acme.example',
  'https://api.example.com/x',
  '/sample',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00',
  { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' },
  [],
  {},
  ['ann@acme.example'],
];
const ajv = new Ajv2020();

/**
 * Returns an input with only the required properties. Each gets the first candidate or option that its schema accepts. If only a pattern rejects all
 * candidates, the first candidate of the type is used, because running an action does not validate its input. A list or an object for which no
 * candidate is valid is built from its parts.
 */
export function sampleInput({ props }: Action): JsonObject {
  const required = Object.entries(props).filter(([, property]) => property.required);
  return Object.fromEntries(required.map(([key, property]) => [key, sampleOf(key, property)]));
}

function sampleOf(key: string, { schema, options }: Property): JsonValue {
  const sample = options.map(({ value }) => value).find(accepts(schema)) ?? fitting(schema);
  if (sample === undefined) throw new Error(`No candidate of sample-input.ts fits the property ${key}: add one`);
  return sample;
}

function fitting(schema: JsonSchema): JsonValue | undefined {
  const { pattern: _pattern, ...plain } = schema;
  return CANDIDATES.find(accepts(schema)) ?? CANDIDATES.find(accepts(plain)) ?? built(schema);
}

function built({ type, enum: values, items = {}, properties = {}, required = [] }: JsonSchema): JsonValue | undefined {
  if (values?.[0] !== undefined) return values[0];
  if (type === 'array') return [fitting(items) ?? null];
  if (type !== 'object') return undefined;
  return Object.fromEntries(required.map((key) => [key, fitting(properties[key] ?? {}) ?? null]));
}

function accepts(schema: JsonSchema): (candidate: JsonValue) => boolean {
  const validate = ajv.compile(schema);
  return (candidate) => validate(candidate) === true;
}
