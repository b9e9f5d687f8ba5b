import { choices, type IntegrationCategory } from '@drawbridge/contracts';
import { type AccountAddress, type AccountFields, accountValues, addressFor, fillAddress } from './account.js';
import { type Action, type Category } from './action.js';
import { type ConnectionType, type Credential, type OAuth2Provider } from './credential.js';
import { type Http, type HttpDefaults, type HttpSetup, openHttp } from './http.js';
import { type JsonObject } from './json.js';
import { type Property, type Props } from './property.js';
import { type CredentialTest } from './test-credential.js';
import { type Trigger } from './trigger.js';

/** One prop of a CUSTOM_AUTH connection. */
export interface AuthProp {
  displayName: string;
  description?: string;
  required: boolean;
  /** Set if the value is redacted in outputs, errors and the run log. */
  secret: boolean;
  /** Set if the value has several lines, as a private key file does. */
  multiline?: boolean;
}

/** A failure, identified by its status, its code, or both. */
export interface Refusal {
  status?: number;
  code?: string;
}

export interface PieceAuth {
  /** The connection types that the piece accepts. The catalog shows the first. */
  types: readonly ConnectionType[];
  /** If false, the piece also runs without a connection. */
  required: boolean;
  /** Explains the connection to the user who creates it. Required if CUSTOM_AUTH is accepted and `props` is absent. */
  description?: string;
  /** The props of a CUSTOM_AUTH connection by name. If absent, any props are accepted, and all values of 8 or more characters count as secret. */
  props?: Readonly<Record<string, AuthProp>>;
  /**
   * The failures which mean that the provider rejected the credential itself. The connection then gets the status ERROR and is not used again until
   * its user reconnects. Default: every 401, but no 403. For an API that also responds with 401 for other reasons, list the code; `[]` means never.
   */
  refusedWhen?: readonly Refusal[];
  oauth2?: OAuth2Provider;
  /** Explains to the user who connects what the scopes of `oauth2` allow, in one sentence each, such as `Read your channels`. */
  shares?: readonly string[];
  /** The page of the provider on which users find API keys. */
  keysUrl?: string;
  /**
   * The values of an account that `origin`, `authUrl`, `tokenUrl` and `revoke.url` contain as `{name}`. The connect page requests the values that
   * neither the token response (`oauth2.keep`) nor `afterConnect` provides.
   */
  account?: AccountFields;
  /**
   * Reads values of the account with a new credential: values that addresses or headers need, and a label that identifies the account for the user.
   * It must not change anything. If it throws, the account is not connected.
   */
  afterConnect?: (http: Http, credential: Credential) => Promise<ConnectedAccount>;
  /** Checks a credential when it is entered. Default: any credential is accepted. */
  test?: CredentialTest;
}

/** The result of `afterConnect`: properties of an account that was just connected. */
export interface ConnectedAccount {
  /** Values that are added to the `data` of the credential. They must not be secret. */
  data?: Readonly<Record<string, string | number | boolean>>;
  /** The name of the account that its user sees, such as an email address. */
  label?: string;
}

/** A provider: its origin, its authentication, and its actions and triggers. */
export interface Piece {
  /** The name of its folder, in kebab-case. */
  name: string;
  displayName: string;
  description: string;
  categories: readonly [IntegrationCategory, ...IntegrationCategory[]];
  /**
   * The origin of every request. It may contain values of the account (`https://{subdomain}.zendesk.com`) and a path that precedes every path. A
   * piece without an origin uses absolute URLs from its input.
   */
  origin?: AccountAddress;
  /** Additional origins of the same provider, for requests with an absolute URL. They also receive the credential. */
  origins?: readonly string[];
  /** If absent, the piece needs no connection and cannot use one. */
  auth?: PieceAuth;
  http?: HttpDefaults;
  /** Set to false if a GET can change data at this provider. Raw requests then never count as reads. */
  isGetSafe?: false;
  /** Set by the registry of pieces, from the logo.svg in the folder of the piece. */
  logoUrl?: string;
  actions: Readonly<Record<string, Action>>;
  triggers?: Readonly<Record<string, Trigger>>;
}

export function piece(definition: Piece): Piece {
  return definition;
}

/** An action or a trigger of a piece. */
export type OperationName =
  { actionName: string; triggerName?: undefined } | { triggerName: string; actionName?: undefined };

/** The properties of an action or a trigger. */
interface Operation {
  props: Props;
}

/** Returns the action or trigger, or undefined. Finds only own keys: names come from callers, and `constructor` is not an operation. */
export function findOperation({ actions, triggers = {} }: Piece, operation: OperationName): Operation | undefined {
  const [all, name] =
    operation.actionName === undefined ? [triggers, operation.triggerName] : [actions, operation.actionName];
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Returns the category of one call. Approval policies are matched against it. */
export function categoryOfCall(action: Pick<Action, 'category' | 'categoryOf'>, input: JsonObject): Category {
  return action.categoryOf?.(input) ?? action.category;
}

/**
 * Returns whether a configured integration enables an action. `enabled` is its `enabledActions`. Undefined, which also applies without a configured
 * integration, means all actions except raw actions.
 */
export function isEnabled(
  action: Pick<Action, 'isRaw'>,
  name: string,
  enabled: readonly string[] | undefined,
): boolean {
  return enabled ? enabled.includes(name) : !action.isRaw;
}

/** Returns the problem with the name of an action or trigger, by its key, or undefined if the piece has the operation. */
export function operationProblem(piece: Piece, operation: OperationName): Record<string, string> | undefined {
  if (findOperation(piece, operation)) return undefined;
  const [kind, all, name] =
    operation.actionName === undefined
      ? ['trigger', piece.triggers ?? {}, operation.triggerName]
      : ['action', piece.actions, operation.actionName];
  return { [`${kind}Name`]: `${piece.name} has no such ${kind}.${choices(name, Object.keys(all))}` };
}

export function findProperty(piece: Piece, operation: OperationName, propertyName: string): Property | undefined {
  const { props = {} } = findOperation(piece, operation) ?? {};
  return Object.hasOwn(props, propertyName) ? props[propertyName] : undefined;
}

/** Returns the property. Throws an Error instead of an ApiError if it does not exist, because callers validate the names in requests before. */
export function requireProperty(piece: Piece, operation: OperationName, propertyName: string): Property {
  const property = findProperty(piece, operation, propertyName);
  const { actionName, triggerName = actionName } = operation;
  if (!property) throw new Error(`${piece.name}.${triggerName} has no property ${propertyName}`);
  return property;
}

/** The credential and the transport of a piece's requests. */
export type OpenOptions = Pick<
  HttpSetup,
  'credential' | 'send' | 'sendsDelayed' | 'signal' | 'timeoutMs' | 'limitMs' | 'isIdempotent' | 'runId'
>;

/** Returns the HTTP client for the code of a piece. */
export function openPiece(piece: Piece, options: OpenOptions): Http {
  const { http, origins } = piece;
  return openHttp({ ...http, ...options, origin: () => originOf(piece, options.credential), origins });
}

/**
 * Returns the origin of a piece for a credential, with its path, or undefined if the piece has none. Throws AccountError if the credential lacks a
 * value of the address.
 */
export function originOf({ origin, auth }: Piece, credential: Credential | undefined): string | undefined {
  if (typeof origin === 'string' && !origin.includes('{')) return origin;
  const template = origin && addressFor(origin, credential?.type);
  return template && fillAddress(template, accountValues(credential), auth?.account);
}
