import { type Credential } from './credential.js';
import { type Http } from './http.js';
import { type JsonObject, type JsonSchema, type JsonValue } from './json.js';

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

/** One input of an action: its form field, its JSON Schema and, as `Value`, the type that the code receives. */
export interface Property<Value = unknown, Required extends boolean = boolean, Refresher extends string = string> {
  readonly type: PropertyType;
  readonly displayName: string;
  readonly description: string;
  readonly required: Required;
  /** The properties that change the options of this property. */
  readonly refreshers: readonly Refresher[];
  /** The options of a static select. */
  readonly options: readonly PropertyOption[];
  /** Loads the options of a select from the provider. */
  readonly loadOptions?: LoadOptions;
  /** Returns the properties of a dynamic property for the current values of the other inputs. */
  readonly loadProps?: LoadProps;
  readonly schema: JsonSchema;
  readonly [VALUE]?: Value;
}

export type Props = { readonly [key: string]: Property };
export type LoadProps = (context: PropertyContext) => Promise<Props>;

/**
 * Allows only refreshers within the same properties. Actions require this type in addition to `Props`, so that the misspelled name of a refresher
 * does not compile.
 */
export type Refreshed<P extends Props> = { readonly [K in keyof P]: Property<unknown, boolean, keyof P & string> };

type RequiredKey<P extends Props> = { [K in keyof P]: P[K]['required'] extends true ? K : never }[keyof P];
type ValueOf<P> = P extends Property<infer Value> ? Value : JsonValue;

/** The input that an action with these properties receives. Required keys are present. Other keys may be absent. */
export type InputOf<P extends Props> = { [K in RequiredKey<P>]: ValueOf<P[K]> } & {
  [K in Exclude<keyof P, RequiredKey<P>>]?: ValueOf<P[K]>;
};

/** The details of every property. A property is optional unless `required` is true. */
export interface PropertyDetails {
  required?: boolean;
  description?: string;
  refreshers?: readonly string[];
}

/**
 * The type of a declared property. It is derived from the type of all details: a separate type parameter for `required` would widen when a property
 * is declared inline in `action()`.
 */
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

/** Builds a property of any type. Pieces use the specific functions (`shortText`, `number`, …). */
export function property<Value, D extends PropertyDetails>(
  displayName: string,
  { required = false, description = '', refreshers = [] }: PropertyDetails = {},
  { options = [], ...shape }: Shape,
): DeclaredProperty<Value, D> {
  const declared: Property<Value> = { displayName, description, required, refreshers, options, ...shape };
  return declared as DeclaredProperty<Value, D>; // `required` and `refreshers` come from the details, which have type D.
}

/** The context in which a form resolves a property. */
export interface PropertyContext {
  http: Http;
  /** The current values of the form. They are not validated: a refresher may be missing, or have any type. */
  input: JsonObject;
  /** The text that the user typed to find an option. The returned options are filtered by this text again. */
  search: string | undefined;
  auth: Credential | undefined;
  /** Aborts at the time limit of the look-up. */
  signal: AbortSignal | undefined;
}

/** An option that the provider offers. Its value is a string, because the property has a string value. */
export interface SelectOption {
  readonly label: string;
  readonly value: string;
}

/** The current options. `disabled` is true if nothing can be selected, for example while a refresher has no value. */
export type Options =
  readonly SelectOption[] | { readonly options: readonly SelectOption[]; readonly disabled: boolean };

export type LoadOptions = (context: PropertyContext) => Promise<Options>;
