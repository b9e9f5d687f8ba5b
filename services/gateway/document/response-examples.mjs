import { sample } from 'openapi-sampler';
import { readFieldData } from './field-data.mjs';

const FILE = 'field-examples.yaml';
const MOMENT = '2026-03-01T09:30:00.000Z';
const examples = readFieldData(FILE);

/** Adds, in place, an example to every field that has a known one, and an example answer to every operation. */
export function addResponseExamples(document) {
  for (const [name, schema] of Object.entries(document.components.schemas)) addFieldExamples(schema, name);
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) addAnswers(operation, document);
  }
}

function addFieldExamples(schema, name) {
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const example = exampleOf(`${name}.${key}`, key, property);
    if (example !== undefined) property.examples = [example];
    if (property.properties) addFieldExamples(property, `${name}.${key}`);
  }
}

function exampleOf(path, key, property) {
  const own = examples.of(path);
  if (own !== undefined) return own;
  if (property.enum || property.const !== undefined) return undefined;
  const named = examples.named(key);
  if (named !== undefined && allows(property, named)) return named;
  return property.format === 'date-time' ? MOMENT : undefined;
}

/** One name can stand for a text in one schema and for an object in another. */
function allows({ type, $ref, anyOf, oneOf, items }, value) {
  if (value === null) return [type].flat().includes('null') || (anyOf ?? []).some((inner) => inner.type === 'null');
  if (Array.isArray(value)) return type === 'array' && (value.length === 0 || !items?.enum);
  if ($ref || anyOf || oneOf) return false;
  const kind = typeof value === 'number' ? ['number', 'integer'] : [typeof value];
  return [type].flat().some((one) => kind.includes(one));
}

function addAnswers({ operationId, responses }, document) {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    const json = status.startsWith('2') ? content['application/json'] : undefined;
    if (!json) continue;
    const answer = sample(withFieldExamples(json.schema, operationId), { skipWriteOnly: true, quiet: true }, document);
    const text = JSON.stringify(answer);
    if (/"string"|0\.1/.test(text)) throw new Error(`document/${FILE} lacks a field of ${operationId}: ${text}`);
    json.example = answer;
  }
}

function withFieldExamples(schema, name) {
  const own = structuredClone(schema);
  addFieldExamples(own, name);
  return own;
}
