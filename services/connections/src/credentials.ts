import { type ConnectionType } from '@drawbridge/contracts';
import { type Piece } from '@drawbridge/piece-kit';
import { type CreateConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/credentials';
import { accountProblems, addressProblems, isOAuth } from './oauth/account-addresses.js';

type Field = Exclude<keyof CreateConnectionRequest, CommonField>;
type CommonField =
  'type' | 'externalId' | 'displayName' | 'integrationName' | 'workspaceId' | 'endUserId' | 'scope' | 'oauthAppId';

interface Shape {
  required: readonly Field[];
  optional: readonly Field[];
}

const OAUTH: Shape = {
  required: ['accessToken'],
  optional: ['refreshToken', 'tokenType', 'expiresIn', 'scope_oauth', 'data'],
};

const SHAPES = {
  SECRET_TEXT: { required: ['secretText'], optional: [] },
  BASIC_AUTH: { required: ['username', 'password'], optional: [] },
  CUSTOM_AUTH: { required: ['props'], optional: [] },
  OAUTH2: OAUTH,
  PLATFORM_OAUTH2: OAUTH,
} satisfies Record<ConnectionType, Shape>;

const FIELDS = [...new Set(Object.values(SHAPES).flatMap(({ required, optional }) => [...required, ...optional]))];

/** Returns the problems of the credential type of a request, and of the fields that belong to the type, by field. */
export function credentialProblems(request: CreateConnectionRequest): Record<string, string> {
  const { type } = request;
  if (!isConnectionType(type)) return { type: `must be one of ${Object.keys(SHAPES).join(', ')}` };
  const { required, optional }: Shape = SHAPES[type];
  const missing = required.filter((field) => request[field] === undefined);
  const foreign = FIELDS.filter((field) => request[field] !== undefined && ![...required, ...optional].includes(field));
  const own = Object.fromEntries([...required, ...optional].map((field) => [field, request[field]]));
  return Object.fromEntries([
    ...Object.entries(sizeProblems(own)),
    ...missing.map((field) => [field, `is required for type ${type}`]),
    ...foreign.map((field) => [field, `is not a field of type ${type}`]),
  ]);
}

/** Returns the problems of the account values that the URLs of the piece contain, by field, for example `data.subdomain`. */
export function accountValueProblems(piece: Piece, request: CreateConnectionRequest): Record<string, string> {
  const { type, secretText, username, props, data } = request;
  if (!isConnectionType(type)) return {};
  const texts = { secretText, username };
  const at = isOAuth(type) ? 'data' : 'props';
  const values: Record<string, unknown> = isOAuth(type) ? (data ?? {}) : type === 'CUSTOM_AUTH' ? (props ?? {}) : texts;
  const problems = { ...addressProblems(piece, type, values), ...accountProblems(piece, type, values) };
  const keyOf = (name: string): string => {
    if (values !== texts) return `${at}.${name}`;
    return Object.hasOwn(texts, name) ? name : 'type';
  };
  return Object.fromEntries(Object.entries(problems).map(([name, problem]) => [keyOf(name), problem]));
}

/**
 * Returns the string to encrypt, with the fields of the credential type. It omits the lifetime of a token, which is stored in a separate column,
 * calculated with the clock of the database.
 */
export function toStoredCredential(request: CreateConnectionRequest): string {
  const { secretText, username, password, props, accessToken, refreshToken } = request;
  const { tokenType = 'Bearer', scope_oauth: scope, data = {} } = request;
  if (accessToken === undefined) return JSON.stringify({ secretText, username, password, props });
  return JSON.stringify({ accessToken, refreshToken, tokenType, scope, data });
}

function isConnectionType(text: string): text is ConnectionType {
  return Object.hasOwn(SHAPES, text);
}

/** Maximum size of all fields of a credential together, in bytes. */
const MAX_BYTES = 64 * 1024;
/** Maximum number of values in `props` or `data`, at any depth. */
const MAX_VALUES = 100;

/**
 * Returns the problems of fields that are too large, by field. The size is limited, because every response of a provider is searched for each secret.
 * The size of an object is the size of its JSON.
 */
export function sizeProblems(fields: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const problems = given
    .filter(([, value]) => typeof value === 'object' && holdsMoreThan(value, MAX_VALUES))
    .map(([field]) => [field, `must contain at most ${MAX_VALUES} values`]);
  const sizes = given.map(([field, value]): [string, number] => [field, bytesOf(value)]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const [largest] = sizes.sort((a, b) => b[1] - a[1]);
  if (largest && total > MAX_BYTES) problems.push([largest[0], `a credential must have at most ${MAX_BYTES} bytes`]);
  return Object.fromEntries(problems);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}

function holdsMoreThan(value: unknown, most: number): boolean {
  const left = [value];
  let seen = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    seen += inner.length;
    if (seen > most) return true;
    left.push(...inner);
  }
  return false;
}
