// Reads the published OpenAPI document of the API: its operations, and the properties of each operation that the SDK generators need.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the OpenAPI document of the gateway, or the file after `--document`. */
export function readDocument([, , ...args] = process.argv) {
  const given = args.indexOf('--document');
  const file = given < 0 ? join(import.meta.dirname, '../../../services/gateway/openapi.json') : args[given + 1];
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Returns the operations by their id. */
export function operationsOf(document) {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(document, { path, method, operation })),
  );
  return Object.fromEntries(found.map((operation) => [operation.id, operation]));
}

function toOperation(document, { path, method, operation }) {
  const parameters = operation.parameters ?? [];
  const success = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    pathNames: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    query,
    queryNames: query.map(({ name }) => name),
    isQueryRequired: query.some(({ required }) => required),
    body: operation.requestBody?.content['application/json'].schema.$ref?.split('/').at(-1),
    isBodyRequired: operation.requestBody?.required ?? false,
    statuses: success.map(([status]) => status),
    type: Object.keys(success[0][1].content)[0],
    takesLong: operation['x-takes-long'] ?? false,
    codes: codesOf(operation),
    listed: (schema) => listedBy(document, schema ?? success[0][1].content['application/json']?.schema),
  };
}

/** Returns the error codes of an operation. The document names each error response by its status and codes: `404.NOT_FOUND.INTEGRATION_NOT_FOUND`. */
function codesOf({ responses }) {
  const names = Object.values(responses).map(({ $ref }) => $ref?.split('/').at(-1) ?? '');
  return [...new Set(names.filter((name) => /^\d/.test(name)).flatMap((name) => name.split('.').slice(1)))];
}

/** Returns the key and the schema of the items of a list response; undefined for another response. */
function listedBy(document, schema) {
  const name = schema?.$ref?.split('/').at(-1);
  if (!name) return undefined;
  const { properties = {} } = document.components.schemas[name];
  const [key, list] = Object.entries(properties).find(([, { items }]) => items?.$ref) ?? [];
  return name.endsWith('List') && key ? { key, item: list.items.$ref.split('/').at(-1) } : undefined;
}
