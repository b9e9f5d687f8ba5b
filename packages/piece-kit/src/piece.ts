import type { IntegrationCategory } from '@drawbridge/contracts';
import type { Action } from './action.js';
import type { ConnectionType } from './credential.js';
import type { HttpDefaults } from './http.js';
import type { OAuth2Provider } from './oauth2-provider.js';
import type { CredentialTest } from './test-credential.js';
import type { Trigger } from './trigger.js';

/** One prop of a CUSTOM_AUTH connection. */
export interface AuthProp {
  displayName: string;
  description?: string;
  required: boolean;
  /** Whether its value is redacted in outputs, errors and the run log. */
  secret: boolean;
  /** Whether its value has several lines, as a private key file does. */
  multiline?: boolean;
}

/** A failure, identified by its status, its code, or both. */
export interface Refusal {
  status?: number;
  code?: string;
}

export interface PieceAuth {
  /** The connection types that the piece accepts; the catalog shows the first. */
  types: readonly ConnectionType[];
  /** False: the piece also runs without a connection. */
  required: boolean;
  /** Explains the connection to its creator. Required if CUSTOM_AUTH is accepted and `props` is absent. */
  description?: string;
  /** The props of a CUSTOM_AUTH connection by name. Absent: any props, and all values of 8 or more characters count as secret. */
  props?: Readonly<Record<string, AuthProp>>;
  /**
   * The failures that mean the credential itself is refused. Its connection gets the status ERROR and is not used again until its user
   * reconnects. Absent: every 401, but no 403. For an API that also answers 401 for other reasons, name the code; `[]` means never.
   */
  refusedWhen?: readonly Refusal[];
  oauth2?: OAuth2Provider;
  /** Checks a credential when it is entered. Absent: any credential is accepted. */
  test?: CredentialTest;
}

/** A provider: its origin, its authentication, and its actions and triggers. */
export interface Piece {
  /** The kebab-case name of its folder. */
  name: string;
  displayName: string;
  description: string;
  categories: readonly [IntegrationCategory, ...IntegrationCategory[]];
  /** The origin of every request. A piece without one takes absolute URLs from its input. */
  origin?: string;
  /** Further origins of the same provider, for requests with an absolute URL. They also get the credential. */
  origins?: readonly string[];
  /** Absent: the piece needs no connection and cannot use one. */
  auth?: PieceAuth;
  http?: HttpDefaults;
  /** Set by the registry from the folder's logo.svg. */
  logoUrl?: string;
  actions: Readonly<Record<string, Action>>;
  triggers?: Readonly<Record<string, Trigger>>;
}

export function piece(definition: Piece): Piece {
  return definition;
}
