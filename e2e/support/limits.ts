import { type Api } from './api.js';

/** A limit in the OpenAPI document for a value that callers send. */
export interface Limit {
  /** The operation's id. */
  id: string;
  /** A position for `withValue`: `body.name`, `query.limit`. */
  position: string;
  schema: Schema;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
}

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns every value that a caller can send, with its schema, except for values in free-form objects and lists. */
export async function sendable(api: Api): Promise<Limit[]> {
  const document = (await api.get('/api/v1/openapi.json')).body as Document;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ operationId: id, parameters = [], requestBody }) => {
    const body = resolved(document, requestBody?.content['application/json'].schema).properties ?? {};
    const places: [string, Schema][] = [
      ...parameters.map(({ in: place, name, schema }): [string, Schema] => [`${place}.${name}`, schema]),
      ...Object.entries(body).map(([key, schema]): [string, Schema] => [`body.${key}`, schema]),
    ];
    return places.map(([position, schema]) => ({ id, position, schema: resolved(document, schema) }));
  });
}

export const isText = ({ schema: { type } }: Limit): boolean => [type].flat().includes('string');
export const isNumber = ({ schema: { type } }: Limit): boolean =>
  [type].flat().some((one) => one === 'integer' || one === 'number');
/** Returns whether the value is an enum or a UUID, for which no long value can be sent. */
export const isClosed = ({ schema }: Limit): boolean => schema.enum !== undefined || schema.format === 'uuid';

function resolved(document: Document, schema: Schema = {}): Schema {
  return schema.$ref ? resolved(document, document.components.schemas[schema.$ref.split('/').at(-1)!]!) : schema;
}
