import { type FromSchema, type JsonObject, type JsonSchema } from './json.js';
import { type LoadOptions, type LoadProps, property, type PropertyDetails, type PropertyOption } from './property.js';

export interface TextDetails extends PropertyDetails {
  minLength?: number;
  maxLength?: number;
  /** An ECMAScript regular expression. It must contain the anchors. */
  pattern?: string;
}

const DAY = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?';
const ZONE = '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)';

export function shortText<const D extends TextDetails = {}>(displayName: string, details?: D) {
  return property<string, D>(displayName, details, { type: 'SHORT_TEXT', schema: textSchema(details) });
}

/** Text with any number of lines. */
export function longText<const D extends TextDetails = {}>(displayName: string, details?: D) {
  return property<string, D>(displayName, details, { type: 'LONG_TEXT', schema: textSchema(details) });
}

/** Text that forms mask and logs omit. */
export function secretText<const D extends TextDetails = {}>(displayName: string, details?: D) {
  const schema: JsonSchema = { ...textSchema(details), writeOnly: true };
  return property<string, D>(displayName, details, { type: 'SECRET_TEXT', schema });
}

/** A time as an ISO 8601 string with a time zone. Uses a pattern, because validators need a plugin for `format`. */
export function dateTime<const D extends PropertyDetails = {}>(displayName: string, details?: D) {
  const schema = textSchema({ pattern: `^${DAY}T${TIME}${ZONE}$` });
  return property<string, D>(displayName, details, { type: 'DATE_TIME', schema });
}

function textSchema({ minLength, maxLength, pattern }: TextDetails = {}): JsonSchema {
  return {
    type: 'string',
    ...(minLength && { minLength }),
    ...(maxLength && { maxLength }),
    ...(pattern && { pattern }),
  };
}

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
  /** Returns the properties. A select among them must include its options, because loading them is not supported. */
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

/** Any JSON value, or the values that `schema` accepts. The code receives the type that the schema describes. */
export function json<const D extends JsonDetails = {}>(displayName: string, details?: D) {
  return property<FromSchema<D['schema']>, D>(displayName, details, { type: 'JSON', schema: details?.schema ?? {} });
}

/** An object with keys that depend on the other inputs and are known only at run time. */
export function dynamic<const D extends DynamicDetails = {}>(displayName: string, details?: D & DynamicDetails) {
  const loadProps = details?.props;
  return property<JsonObject, D>(displayName, details, { type: 'DYNAMIC', schema: { type: 'object' }, loadProps });
}

export function file<const D extends PropertyDetails = {}>(displayName: string, details?: D) {
  return property<FileValue, D>(displayName, details, { type: 'FILE', schema: FILE_SCHEMA });
}

export interface FilesDetails extends PropertyDetails {
  maxItems?: number;
}

/** A list of files. */
export function files<const D extends FilesDetails = {}>(displayName: string, details?: D) {
  const { maxItems }: FilesDetails = details ?? {};
  const schema: JsonSchema = { type: 'array', items: FILE_SCHEMA, ...(maxItems && { maxItems }) };
  return property<FileValue[], D>(displayName, details, { type: 'JSON', schema });
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

/** A value that is also its label, or a separate label and value. */
type Choice<Value> = Value | { readonly label: string; readonly value: Value };

export interface SelectDetails extends TextDetails {
  /** Loads the options from the provider. If absent, a form accepts any text. */
  options?: LoadOptions;
}

/** A selection from a fixed set of values. The code receives the union of their literal types. */
export function staticDropdown<const Value extends string | number, const D extends PropertyDetails = {}>(
  displayName: string,
  choices: readonly Choice<Value>[],
  details?: D,
) {
  const options = choices.map(toOption);
  return property<Value, D>(displayName, details, { type: 'STATIC_DROPDOWN', schema: oneOf(options), options });
}

/** Any number of different values from a fixed set. */
export function staticMultiSelect<const Value extends string | number, const D extends PropertyDetails = {}>(
  displayName: string,
  choices: readonly Choice<Value>[],
  details?: D,
) {
  const options = choices.map(toOption);
  const schema = { type: 'array', items: oneOf(options), uniqueItems: true } as const;
  return property<Value[], D>(displayName, details, { type: 'STATIC_MULTI_SELECT', schema, options });
}

/**
 * A value from the provider's options. Any other string within the limits in `details` is accepted too. `& SelectDetails` types the function's
 * parameter if the property is inline in `action()`.
 */
export function dropdown<const D extends SelectDetails = {}>(displayName: string, details?: D & SelectDetails) {
  const loadOptions = details?.options;
  return property<string, D>(displayName, details, { type: 'DROPDOWN', schema: textSchema(details), loadOptions });
}

/** Different values from the provider's options. The limits in `details` apply to each value. */
export function multiSelect<const D extends SelectDetails = {}>(displayName: string, details?: D & SelectDetails) {
  const schema = { type: 'array', items: textSchema(details), uniqueItems: true } as const;
  const loadOptions = details?.options;
  return property<string[], D>(displayName, details, { type: 'MULTI_SELECT', schema, loadOptions });
}

function oneOf(options: readonly PropertyOption[]) {
  const values = options.map(({ value }) => value);
  return { type: typeof values[0] === 'number' ? 'number' : 'string', enum: values } as const;
}

function toOption(choice: Choice<string | number>): PropertyOption {
  return typeof choice === 'object' ? choice : { label: String(choice), value: choice };
}
