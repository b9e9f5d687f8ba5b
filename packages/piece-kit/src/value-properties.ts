import type { FromSchema, JsonObject, JsonSchema } from './json.js';
import { property, type LoadProps, type PropertyDetails } from './property.js';

/** A file in JSON input or output. */
export type FileValue = { filename: string; mimeType: string; base64: string };

export interface NumberDetails extends PropertyDetails {
  integer?: boolean;
  minimum?: number;
  maximum?: number;
}

export interface JsonDetails extends PropertyDetails {
  schema?: JsonSchema;
}

export interface DynamicDetails extends PropertyDetails {
  /** Returns the properties. A select in them must include its options: loading them is not supported. */
  props?: LoadProps;
}

export function number<const D extends NumberDetails = {}>(displayName: string, details?: D) {
  const { integer, minimum, maximum }: NumberDetails = details ?? {};
  const limits = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  const schema = { type: integer ? 'integer' : 'number', ...limits } as const;
  return property<number, D>(displayName, details, { type: 'NUMBER', schema });
}

export function checkbox<const D extends PropertyDetails = {}>(displayName: string, details?: D) {
  return property<boolean, D>(displayName, details, { type: 'CHECKBOX', schema: { type: 'boolean' } });
}

/** Any JSON value, or what `schema` accepts: the code receives the type that the schema describes. */
export function json<const D extends JsonDetails = {}>(displayName: string, details?: D) {
  return property<FromSchema<D['schema']>, D>(displayName, details, { type: 'JSON', schema: details?.schema ?? {} });
}

/** An object whose keys depend on the other inputs and are known only at run time. */
export function dynamic<const D extends DynamicDetails = {}>(displayName: string, details?: D & DynamicDetails) {
  const loadProps = details?.props;
  return property<JsonObject, D>(displayName, details, { type: 'DYNAMIC', schema: { type: 'object' }, loadProps });
}

export function file<const D extends PropertyDetails = {}>(displayName: string, details?: D) {
  return property<FileValue, D>(displayName, details, { type: 'FILE', schema: FILE_SCHEMA });
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
