import type { Credential } from './credential.js';
import type { Http } from './http.js';
import type { JsonObject } from './json.js';

/** What a property is resolved with, while somebody fills in the form. */
export interface PropertyContext {
  http: Http;
  /** The form's values so far, validated by nobody: a refresher may be missing, or be of any type. */
  input: JsonObject;
  /** What somebody types to find an option. The options are filtered by it afterwards, too. */
  search: string | undefined;
  auth: Credential | undefined;
  /** Aborted at the end of the time that there is. */
  signal: AbortSignal | undefined;
}

/** One of what the third party offers. Its value is text, as what the property takes is. */
export interface SelectOption {
  readonly label: string;
  readonly value: string;
}

/** What can be chosen now; disabled where nothing can, as before a refresher has its value. */
export type Options =
  readonly SelectOption[] | { readonly options: readonly SelectOption[]; readonly disabled: boolean };

export type LoadOptions = (context: PropertyContext) => Promise<Options>;
