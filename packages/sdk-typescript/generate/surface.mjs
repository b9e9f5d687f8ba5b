// Writes surface.txt, the parts of the API on which programs depend: one line for each operation, parameter, field, type and value. The generators of
// both SDKs fail if the OpenAPI document breaks a program that was written for the committed surface.txt. Examples of lines:
//   operation GetWorkspace GET /api/v1/workspaces/{id}
//   GetWorkspace.path.id: string
//   GetWorkspace.200: #Workspace
//   Workspace.name: string
//   Workspace.name required
//   Workspace.status = "active"
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, 'surface.txt');
const ACCEPT = 'node packages/sdk-typescript/generate/generate.mjs --accept-breaking-changes';
const MEMBER = /^\S+(?=: | = | required$)/;

/**
 * Compares the document with the committed surface, and writes the new one unless the flags have --check. Throws an Error that lists each breaking
 * change, or if there is no surface to compare with; --accept-breaking-changes writes the surface nevertheless.
 */
export function requireCompatible(document, { file = FILE, flags = process.argv.slice(2) } = {}) {
  const surface = surfaceOf(document);
  const isAccepted = flags.includes('--accept-breaking-changes');
  const changes = isAccepted ? [] : breakingChanges(committed(file), surface);
  if (changes.length > 0) {
    throw new Error(
      `The OpenAPI document breaks programs that use an SDK:\n  ${changes.join('\n  ')}\n` +
        `Undo this, or accept it for a new major version: ${ACCEPT}`,
    );
  }
  if (!flags.includes('--check')) writeFileSync(file, `${surface.lines.join('\n')}\n`);
}

function committed(file) {
  if (existsSync(file)) return readFileSync(file, 'utf8').trimEnd().split('\n');
  throw new Error(`${file} is missing: restore it with git, or write the surface of the document: ${ACCEPT}`);
}

/** Returns the changes that break programs: the API rejects a request that it accepted, or returns a response that a program does not expect. */
export function breakingChanges(before, { lines, sent, received }) {
  const [old, now] = [new Set(before), new Set(lines)];
  const known = new Set(before.map((line) => MEMBER.exec(line)?.[0]));
  const isResponse = (line) => /^\w+\.\d{3}\b/.test(line);
  const isSent = (line) => sent.has(nameOf(line)) && !isResponse(line);
  const isReceived = (line) => received.has(nameOf(line)) || isResponse(line);
  const removed = before.filter((line) => !now.has(line));
  const added = lines.filter((line) => !old.has(line));
  const lost = removed.filter((line) => {
    if (line.endsWith(' required')) return isReceived(line);
    if (line.endsWith(': null') || / = /.test(line)) return isSent(line);
    return true;
  });
  const demanded = added.filter((line) => {
    if (line.endsWith(' required')) return isSent(line);
    return isReceived(line) && /: /.test(line) && known.has(MEMBER.exec(line)[0]);
  });
  return [...lost.map((line) => `removed: ${line}`), ...demanded.map((line) => `added: ${line}`)];
}

const nameOf = (line) => line.split(/[.:[{]/)[0];

/** Returns the sorted lines of surface.txt for a document, and the names of the operations and schemas that programs send and receive. */
export function surfaceOf({ paths, components: { schemas } }) {
  const lines = new Set();
  const [sent, received] = [new Set(), new Set()];
  const add = (place, schema, names) => {
    for (const line of typeLines(place, schema)) lines.add(line);
    for (const name of referencesIn(schema)) names.add(name);
  };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      lines.add(`operation ${operation.operationId} ${method.toUpperCase()} ${path}`);
      sent.add(operation.operationId);
      for (const [place, schema] of requestPlaces(operation)) add(place, schema, sent);
      for (const line of requiredParameters(operation)) lines.add(line);
      for (const [place, schema] of responsePlaces(operation)) add(place, schema, received);
    }
  }
  for (const names of [sent, received]) followReferences(names, schemas);
  const used = [...new Set([...sent, ...received])].filter((name) => schemas[name]);
  for (const line of used.flatMap((name) => typeLines(name, schemas[name]))) lines.add(line);
  return { lines: [...lines].sort(), sent, received };
}

function requestPlaces({ operationId, parameters = [], requestBody }) {
  const body = requestBody ? [[`${operationId}.body`, requestBody.content['application/json'].schema]] : [];
  return [...parameters.map((parameter) => [parameterPlace(operationId, parameter), parameter.schema]), ...body];
}

function requiredParameters({ operationId, parameters = [] }) {
  const required = parameters.filter((parameter) => parameter.required);
  return required.map((parameter) => `${parameterPlace(operationId, parameter)} required`);
}

const parameterPlace = (operationId, { in: where, name }) => `${operationId}.${where}.${name}`;

function responsePlaces({ operationId, responses }) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, { content = {} }]) =>
    Object.values(content).map(({ schema = {} }) => [`${operationId}.${status}`, schema]),
  );
}

/** Adds to `names` each schema that the named schemas reference, directly or through other schemas. */
function followReferences(names, schemas) {
  for (const name of names) if (schemas[name]) for (const other of referencesIn(schemas[name])) names.add(other);
}

const referencesIn = (schema) =>
  [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);

function typeLines(place, schema) {
  if (schema.$ref) return [`${place}: #${schema.$ref.split('/').at(-1)}`];
  const alternatives = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const lines = alternatives.flatMap((one) => typeLines(place, one));
  for (const type of [schema.type ?? []].flat()) lines.push(`${place}: ${type}`);
  for (const value of schema.enum ?? []) lines.push(`${place} = ${JSON.stringify(value)}`);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    lines.push(...typeLines(`${place}.${name}`, property));
  for (const name of schema.required ?? []) lines.push(`${place}.${name} required`);
  if (schema.items) lines.push(...typeLines(`${place}[]`, schema.items));
  const { additionalProperties: others } = schema;
  if (others && others !== true) lines.push(...typeLines(`${place}{}`, others));
  return lines;
}
