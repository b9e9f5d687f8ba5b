import type { JsonSchema, JsonValue } from './json.js';

export type PropertyType =
  | 'SHORT_TEXT'
  | 'LONG_TEXT'
  | 'NUMBER'
  | 'CHECKBOX'
  | 'STATIC_DROPDOWN'
  | 'DROPDOWN'
  | 'STATIC_MULTI_SELECT'
  | 'MULTI_SELECT'
  | 'DYNAMIC'
  | 'JSON'
  | 'DATE_TIME'
  | 'FILE'
  | 'SECRET_TEXT';

export interface PropertyOption {
  readonly label: string;
  readonly value: string | number | boolean;
}

declare const VALUE: unique symbol;

/** One input of an action: what a form shows, what JSON Schema accepts and, as `Value`, what the code receives. */
export interface Property<Value = unknown, Required extends boolean = boolean> {
  readonly type: PropertyType;
  readonly displayName: string;
  readonly description: string;
  readonly required: Required;
  /** The properties whose value changes what this one offers. */
  readonly refreshers: readonly string[];
  /** Of a static select alone. */
  readonly options: readonly PropertyOption[];
  readonly schema: JsonSchema;
  readonly [VALUE]?: Value;
}

export type Props = { readonly [key: string]: Property };

type RequiredKey<P extends Props> = { [K in keyof P]: P[K]['required'] extends true ? K : never }[keyof P];
type ValueOf<P> = P extends Property<infer Value> ? Value : JsonValue;

/** The input that an action with these properties receives: required keys present, the others possibly absent. */
export type InputOf<P extends Props> = { [K in RequiredKey<P>]: ValueOf<P[K]> } & {
  [K in Exclude<keyof P, RequiredKey<P>>]?: ValueOf<P[K]>;
};

/** What every property may say about itself; it is optional unless `required` is true. */
export interface PropertyDetails {
  required?: boolean;
  description?: string;
  refreshers?: readonly string[];
}

/** Derived from the whole of the details: a type parameter for `required` alone widens when a property stands inside `action()`. */
export type DeclaredProperty<Value, D extends PropertyDetails> = Property<
  Value,
  D extends { required: true } ? true : false
>;

interface Shape {
  type: PropertyType;
  schema: JsonSchema;
  options?: readonly PropertyOption[];
}

/** Builds a property of any type; pieces use the named ones (`shortText`, `number`, …). */
export function property<Value, D extends PropertyDetails>(
  displayName: string,
  { required = false, description = '', refreshers = [] }: PropertyDetails = {},
  { type, schema, options = [] }: Shape,
): DeclaredProperty<Value, D> {
  const declared: Property<Value> = { type, displayName, description, required, refreshers, options, schema };
  return declared as DeclaredProperty<Value, D>; // `required` comes from the details that D is the type of
}
