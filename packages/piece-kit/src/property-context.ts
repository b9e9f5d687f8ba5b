import type { Credential } from './credential.js';
import type { Http } from './http.js';
import type { JsonObject } from './json.js';

/** The context in which a form resolves a property. */
export interface PropertyContext {
  http: Http;
  /** The form's values so far, not validated: a refresher may be missing, or be of any type. */
  input: JsonObject;
  /** The text that the user typed to find an option. The result is filtered by it again. */
  search: string | undefined;
  auth: Credential | undefined;
  /** Aborted at the time limit. */
  signal: AbortSignal | undefined;
}

/** One option of the provider. Its value is text, because the property takes text. */
export interface SelectOption {
  readonly label: string;
  readonly value: string;
}

/** The current options. Disabled if nothing can be selected, for example while a refresher has no value. */
export type Options =
  readonly SelectOption[] | { readonly options: readonly SelectOption[]; readonly disabled: boolean };

export type LoadOptions = (context: PropertyContext) => Promise<Options>;
