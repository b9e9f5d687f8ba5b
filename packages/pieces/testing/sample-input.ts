import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Action, JsonObject, JsonSchema, JsonValue, Property } from '@drawbridge/piece-kit';

const CANDIDATES: JsonValue[] = [
  'sample',
  1,
  true,
  'owner/name',
  'https://api.example.com/x',
  '2026-01-01T00:00:00Z',
  { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' },
  [],
  {},
];
const ajv = new Ajv2020();

/**
 * Returns an input with only the required properties. Each gets the first candidate or option that its schema accepts. If only a
 * pattern refuses them all, the first of the type is used: running an action does not validate its input.
 */
export function sampleInput({ props }: Action): JsonObject {
  const required = Object.entries(props).filter(([, property]) => property.required);
  return Object.fromEntries(required.map(([key, property]) => [key, sampleOf(key, property)]));
}

function sampleOf(key: string, { schema, options }: Property): JsonValue {
  const { pattern: _pattern, ...plain } = schema;
  const candidates = [...options.map(({ value }) => value), ...CANDIDATES];
  const sample = candidates.find(accepts(schema)) ?? candidates.find(accepts(plain));
  if (sample === undefined) throw new Error(`No candidate of sample-input.ts fits the property ${key}: add one`);
  return sample;
}

function accepts(schema: JsonSchema): (candidate: JsonValue) => boolean {
  const validate = ajv.compile(schema);
  return (candidate) => validate(candidate) === true;
}
