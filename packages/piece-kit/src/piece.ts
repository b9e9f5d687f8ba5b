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
  /** Whether its value is kept out of outputs, errors and the run log, wherever it turns up there. */
  secret: boolean;
  /** Whether it has lines: a private key as it stands in its file. */
  multiline?: boolean;
}

/** A failure by its status, its code, or both. */
export interface Refusal {
  status?: number;
  code?: string;
}

export interface PieceAuth {
  /** The connection types that the piece accepts; the catalog shows the first. */
  types: readonly ConnectionType[];
  /** False when it also runs without a connection. */
  required: boolean;
  /** What a connection does here, for who makes one. Needed where CUSTOM_AUTH is taken and `props` is absent. */
  description?: string;
  /** The props of a CUSTOM_AUTH connection by name. Absent: any, and every longer one counts as secret. */
  props?: Readonly<Record<string, AuthProp>>;
  /**
   * Which failures say that the credential itself is refused: the connection is marked, and is not used again until its user
   * reconnects. Absent: a 401, and no 403. For an API that answers 401 for other reasons too, name the code; none: `[]`.
   */
  refusedWhen?: readonly Refusal[];
  oauth2?: OAuth2Provider;
  /** Asked when somebody types a credential. Absent: it is taken as it is. */
  test?: CredentialTest;
}

/** A third party: how to reach it, how to prove who asks, and what can be done there. */
export interface Piece {
  /** The kebab-case name of its folder. */
  name: string;
  displayName: string;
  description: string;
  categories: readonly [IntegrationCategory, ...IntegrationCategory[]];
  /** Where every request goes. A piece without one takes whole URLs from its input. */
  origin?: string;
  /** Further ones of the same third party, for requests that name their address whole. The credential goes there, too. */
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
