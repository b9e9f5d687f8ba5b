import { type ConnectionType } from '@drawbridge/contracts';
import {
  AccountError,
  accountProblem,
  addressFor,
  fillAddress,
  type OAuth2Provider,
  type Piece,
} from '@drawbridge/piece-kit';

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the OAuth configuration of a piece with the endpoint URLs of one account, or undefined if the piece does not use OAuth. Throws AccountError
 * if a value of the account is missing or invalid, because the secret of the OAuth app could otherwise be sent to a wrong host.
 */
export function providerAt({ auth }: Piece, values: Values): OAuth2Provider | undefined {
  if (!auth?.oauth2) return undefined;
  const { authUrl, tokenUrl } = auth.oauth2;
  const fill = (url: string): string => fillAddress(url, values, auth.account);
  return { ...auth.oauth2, authUrl: fill(authUrl), tokenUrl: fill(tokenUrl) };
}

/** Returns the URL that revokes a grant of one account. Throws AccountError. */
export function revocationUrl({ auth }: Piece, values: Values, clientId: string): string | undefined {
  const url = auth?.oauth2?.revoke?.url;
  return url === undefined ? undefined : fillAddress(url, { ...values, client_id: clientId }, auth?.account);
}

/**
 * Returns the values of an account that the piece declares, for example a subdomain. They determine where secrets are sent, so a response of the
 * provider must not replace them.
 */
export function accountOf({ auth }: Piece, values: Values = {}): Record<string, string> {
  const names = Object.keys(auth?.account ?? {}).filter((name) => Object.hasOwn(values, name));
  return Object.fromEntries(names.map((name) => [name, String(values[name])]));
}

/** Returns the problems of the account values that a user or caller entered for a new connection of this type, by name. */
export function accountProblems({ auth }: Piece, type: string, values: Values): Record<string, string> {
  const fields = Object.entries(auth?.account ?? {}).filter(([name]) =>
    isNeeded(auth?.props?.[name], type, name, values),
  );
  const problems = fields.map(([name, field]) => [name, accountProblem(field, own(values, name))] as const);
  return Object.fromEntries(problems.filter((found): found is [string, string] => found[1] !== undefined));
}

/** Returns the problem of the first missing or invalid value in the URL of a piece for this type of connection, by name. */
export function addressProblems(piece: Piece, type: ConnectionType, values: Values): Record<string, string> {
  const { origin, auth } = piece;
  const template = origin && addressFor(origin, type);
  return valueProblem(() => {
    if (template) fillAddress(template, values, auth?.account);
    if (isOAuth(type)) providerAt(piece, values);
  });
}

/** Calls a function that fills in a URL. Returns the problem of the value that is missing or invalid, by name. */
export function valueProblem(fill: () => unknown): Record<string, string> {
  try {
    fill();
    return {};
  } catch (error) {
    if (error instanceof AccountError) return { [error.value]: error.problem };
    throw error;
  }
}

export const isOAuth = (type: string): boolean => type === 'OAUTH2' || type === 'PLATFORM_OAUTH2';

/**
 * Returns true if an account value is required or present. OAuth requires all values. A value of CUSTOM_AUTH is a form field, which can be optional.
 */
function isNeeded(prop: { required: boolean } | undefined, type: string, name: string, values: Values): boolean {
  if (isOAuth(type)) return true;
  return type === 'CUSTOM_AUTH' && (prop?.required === true || own(values, name) !== undefined);
}

function own(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
