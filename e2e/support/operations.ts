import { type Answer, type Api } from './api.js';

/** One operation of the OpenAPI document. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** The positions of ids: `path.workspaceId`, `query.id`, `body.connectionId`, `body.permissions.workspaceIds.0`. */
  idPositions: string[];
  bodyKeys: string[];
  queryKeys: string[];
  /** The declared errors: `404 NOT_FOUND`. */
  failures: string[];
}

/** The input of an operation. */
export interface Call {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  header?: Record<string, string>;
  body?: Record<string, unknown>;
}

/** The beginning of the pattern of ids. */
const UUID = '^[0-9a-fA-F]{8}(-';

interface Schema {
  $ref?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface Reference {
  $ref?: string;
}

interface DocumentOperation {
  operationId: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, Reference>;
}

/** Returns every operation of the OpenAPI document that the product serves. */
export async function operationsOf(api: Api): Promise<Operation[]> {
  const document = (await api.get('/api/v1/openapi.json')).body as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(document, path, method, operation)),
  );
}

function toOperation(document: Document, path: string, method: string, operation: DocumentOperation): Operation {
  const { parameters = [], requestBody, operationId: id } = operation;
  const bodySchema = requestBody?.content['application/json'].schema;
  const body = resolved(document, bodySchema).properties ?? {};
  const idPositions = [
    ...parameters.flatMap((parameter) => idsIn(document, parameter.schema, `${parameter.in}.${parameter.name}`)),
    ...idsIn(document, bodySchema, 'body'),
  ];
  const queryKeys = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const failures = Object.values(operation.responses).flatMap(failuresOf);
  return { id, method: method.toUpperCase(), path, idPositions, bodyKeys: Object.keys(body), queryKeys, failures };
}

/** Returns the positions of ids at or below `place`, at any depth. For a list it uses the first item. */
function idsIn(document: Document, schema: Schema | undefined, place: string): string[] {
  const { pattern, properties = {}, items } = resolved(document, schema);
  if (pattern?.startsWith(UUID)) return [place];
  const below = Object.entries(properties).flatMap(([key, one]) => idsIn(document, one, `${place}.${key}`));
  return items ? [...below, ...idsIn(document, items, `${place}.0`)] : below;
}

/**
 * Returns the errors of a response. The document declares each response once, named after its status and codes: `400.VALIDATION_ERROR.NO_UPDATES`.
 */
function failuresOf({ $ref }: Reference): string[] {
  const [status, ...codes] = $ref?.split('/').at(-1)?.split('.') ?? [];
  return codes.map((code) => `${status} ${code}`);
}

function resolved(document: Document, schema: Schema = {}): Schema {
  return schema.$ref ? resolved(document, document.components.schemas[schema.$ref.split('/').at(-1)!]) : schema;
}

/** Calls an operation. Query values are sent unchanged, so that a test can send invalid values. */
export function callOperation(api: Api, { method, path }: Operation, call: Call): Promise<Answer> {
  const whole = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(call.path?.[name] ?? ''));
  const given = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([key, value]): [string, string] => [key, asText(value)]));
  return api.send(method, query.size > 0 ? `${whole}?${query}` : whole, { body: call.body, headers: call.header });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the call with another value at one position. */
export function withValue(call: Call, position: string, value: unknown): Call {
  return valueWith(call, position.split('.'), value) as Call;
}

function valueWith(whole: unknown, [name, ...below]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  const parts = (whole ?? {}) as Record<string, unknown>;
  const part = valueWith(parts[name], below, value);
  return Array.isArray(whole) ? whole.with(Number(name), part) : { ...parts, [name]: part };
}
