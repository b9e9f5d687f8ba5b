import type { JsonSchema, JsonValue } from './json.js';
import type { LoadOptions, PropertyContext } from './property-context.js';

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
export interface Property<Value = unknown, Required extends boolean = boolean, Refresher extends string = string> {
  readonly type: PropertyType;
  readonly displayName: string;
  readonly description: string;
  readonly required: Required;
  /** The properties whose value changes what this one offers. */
  readonly refreshers: readonly Refresher[];
  /** Of a static select alone. */
  readonly options: readonly PropertyOption[];
  /** Of a select whose options the third party knows. */
  readonly loadOptions?: LoadOptions;
  /** Of a dynamic property: what it consists of, given the other inputs. */
  readonly loadProps?: LoadProps;
  readonly schema: JsonSchema;
  readonly [VALUE]?: Value;
}

export type Props = { readonly [key: string]: Property };
export type LoadProps = (context: PropertyContext) => Promise<Props>;

/** Properties that are refreshed by one another alone: what an action takes beside `Props`, so that a misspelt refresher does not compile. */
export type Refreshed<P extends Props> = { readonly [K in keyof P]: Property<unknown, boolean, keyof P & string> };

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
  D extends { required: true } ? true : false,
  D extends { refreshers: readonly (infer Refresher extends string)[] } ? Refresher : never
>;

interface Shape {
  type: PropertyType;
  schema: JsonSchema;
  options?: readonly PropertyOption[];
  loadOptions?: LoadOptions;
  loadProps?: LoadProps;
}

/** Builds a property of any type; pieces use the named ones (`shortText`, `number`, …). */
export function property<Value, D extends PropertyDetails>(
  displayName: string,
  { required = false, description = '', refreshers = [] }: PropertyDetails = {},
  { options = [], ...shape }: Shape,
): DeclaredProperty<Value, D> {
  const declared: Property<Value> = { displayName, description, required, refreshers, options, ...shape };
  return declared as DeclaredProperty<Value, D>; // `required` and `refreshers` come from the details that D is the type of
}
