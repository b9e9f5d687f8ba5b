import type { FromSchema, JsonObject, JsonSchema } from './json.js';
import { property, type Details, type Property } from './property.js';

/** A file inside JSON, as input and as output. */
export type FileValue = { filename: string; mimeType: string; base64: string };

export interface NumberDetails<Required extends boolean> extends Details<Required> {
  integer?: boolean;
  minimum?: number;
  maximum?: number;
}

export function number<R extends boolean = false>(
  displayName: string,
  { integer, minimum, maximum, ...details }: NumberDetails<R> = {},
): Property<number, R> {
  const limits = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  const schema = { type: integer ? 'integer' : 'number', ...limits } as const;
  return property(displayName, details, { type: 'NUMBER', schema });
}

export function checkbox<R extends boolean = false>(
  displayName: string,
  details: Details<R> = {},
): Property<boolean, R> {
  return property(displayName, details, { type: 'CHECKBOX', schema: { type: 'boolean' } });
}

/** Any JSON value, or what `schema` accepts: the code receives the type that the schema describes. */
export function json<const S extends JsonSchema = {}, R extends boolean = false>(
  displayName: string,
  { schema, ...details }: Details<R> & { schema?: S } = {},
): Property<FromSchema<S>, R> {
  return property(displayName, details, { type: 'JSON', schema: schema ?? {} });
}

/** An object whose keys depend on the other inputs and are known at run time alone. */
export function dynamic<R extends boolean = false>(
  displayName: string,
  details: Details<R> = {},
): Property<JsonObject, R> {
  return property(displayName, details, { type: 'DYNAMIC', schema: { type: 'object' } });
}

export function file<R extends boolean = false>(displayName: string, details: Details<R> = {}): Property<FileValue, R> {
  return property(displayName, details, { type: 'FILE', schema: FILE_SCHEMA });
}

const FILE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    filename: { type: 'string', minLength: 1, maxLength: 255 },
    mimeType: { type: 'string', pattern: '^[\\w.+-]+/[\\w.+-]+$', maxLength: 127 },
    base64: { type: 'string', contentEncoding: 'base64', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
  },
  required: ['filename', 'mimeType', 'base64'],
  additionalProperties: false,
};
