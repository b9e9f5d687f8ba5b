import { sample } from 'openapi-sampler';
import { readFieldData } from './field-data.mjs';

const FILE = 'field-examples.yaml';
const MOMENT = '2026-03-01T09:30:00.000Z';
const examples = readFieldData(FILE);
/** The schema of each line, for operations that return lines of JSON. */
const LINES = { ExportAuditLog: 'AuditEntry' };

/** Adds, in place, an example to every field with a known example, and an example response to every operation. */
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

/** Returns whether a schema allows the value, because the same name can be a string in one schema and an object in another. */
function allows({ type, $ref, anyOf, oneOf, items }, value) {
  if (value === null) return [type].flat().includes('null') || (anyOf ?? []).some((inner) => inner.type === 'null');
  if (Array.isArray(value)) return type === 'array' && (value.length === 0 || !items?.enum);
  if ($ref || anyOf || oneOf) return false;
  const kind = typeof value === 'number' ? ['number', 'integer'] : [typeof value];
  return [type].flat().some((one) => kind.includes(one));
}

function addAnswers({ operationId, responses }, document) {
  for (const [status, { content = {} }] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const { 'application/json': json, 'application/x-ndjson': lines, 'text/event-stream': events } = content;
    if (json) json.example = exampleAnswer(withFieldExamples(json.schema, operationId), operationId, document);
    if (lines) describeLines(lines, operationId, document);
    if (events) describeEvents(events);
  }
}

function describeEvents(events) {
  events.schema = { type: 'string', description: 'Server-sent events, each with JSON as its data.' };
  events.example = [
    'id: 1\nevent: console\ndata: {"level":"log","text":"3 orders"}\n\n',
    'event: end\ndata: {"status":"success","durationMs":412}\n\n',
  ].join('');
}

/** Replaces the schema, because tsoa describes a stream as a Base64 file. */
function describeLines(lines, operationId, document) {
  const name = LINES[operationId];
  const example = exampleAnswer({ $ref: `#/components/schemas/${name}` }, operationId, document);
  lines.schema = { type: 'string', description: `One \`${name}\` as JSON in each line.` };
  lines.example = `${JSON.stringify(example)}\n`;
}

function exampleAnswer(schema, operationId, document) {
  const answer = sample(schema, { skipWriteOnly: true, quiet: true }, document);
  const text = JSON.stringify(answer);
  if (/"string"|\b0\.1\b/.test(text)) throw new Error(`document/${FILE} lacks a field of ${operationId}: ${text}`);
  return answer;
}

function withFieldExamples(schema, name) {
  const own = structuredClone(schema);
  addFieldExamples(own, name);
  return own;
}
