import { parseUrl } from '@drawbridge/contracts';
import { encodeSegment } from './encode-request.js';
import { type ConnectionType, type Credential } from './credential.js';
import { AccountError, InputError } from './provider-error.js';

/**
 * A value of an account that the provider's addresses contain, such as a subdomain. The connect page requests it before an OAuth redirect. The
 * connection stores it in `data` (OAuth) or in its `props` (CUSTOM_AUTH).
 */
export interface AccountField {
  displayName: string;
  description: string;
  /**
   * A regular expression for the whole value. Default: one label of a host name, such as `acme`. Matching must take linear time, because the value is
   * input of a caller.
   */
  pattern?: string;
}

/** The account fields of a piece by name. */
export type AccountFields = Readonly<Record<string, AccountField>>;

/**
 * An address with placeholders for values of the account: `https://{subdomain}.zendesk.com`, `https://api.atlassian.com/ex/jira/{cloudId}`, or
 * `{instanceUrl}` for a whole origin. An object contains one address for each type of connection.
 */
export type AccountAddress = string | Readonly<Partial<Record<ConnectionType, string>>>;

const LABEL = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
/** Matches a host with an optional port. Other characters could end the host, and so send a credential to another host. */
const HOST = /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?(:\d{1,5})?$/;
const PLACEHOLDER = /\{(\w+)\}/g;
const MAX_CHARACTERS = 500;

/** Returns the problem with a value of an account, or undefined if the value is valid. */
export function accountProblem({ displayName, pattern }: AccountField, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return 'is required';
  if (value.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  if (new RegExp(`^(?:${pattern ?? LABEL})$`, 'u').test(value)) return undefined;
  return pattern === undefined
    ? 'must be one part of a host name, such as "acme" of acme.example.com'
    : `is not a valid ${displayName}`;
}

/** Returns the values of a credential that addresses can contain. */
export function accountValues(credential: Credential | undefined): Readonly<Record<string, unknown>> {
  switch (credential?.type) {
    case undefined:
      return {};
    case 'SECRET_TEXT':
      return { secretText: credential.secretText };
    case 'BASIC_AUTH':
      return { username: credential.username };
    case 'CUSTOM_AUTH':
      return credential.props;
    case 'OAUTH2':
    case 'PLATFORM_OAUTH2':
      return credential.data ?? {};
    default:
      return credential satisfies never;
  }
}

/** Returns the address template for a type of connection. PLATFORM_OAUTH2 uses the template of OAUTH2. */
export function addressFor(address: AccountAddress, type: ConnectionType | undefined): string | undefined {
  if (typeof address === 'string') return address;
  return address[type ?? 'OAUTH2'] ?? (type === 'PLATFORM_OAUTH2' ? address.OAUTH2 : undefined);
}

/**
 * Fills the placeholders of an address. Throws AccountError if a value is absent or invalid, so that the request is not sent to another host. A
 * value in the path becomes one encoded segment.
 */
export function fillAddress(
  template: string,
  values: Readonly<Record<string, unknown>>,
  fields: AccountFields = {},
): string {
  const pathAt = template.indexOf('/', template.indexOf('://') + 3);
  return template.replace(PLACEHOLDER, (whole, name: string, at: number) => {
    const value = requireValue(name, values, fields);
    if (at === 0) return requireOrigin(name, value);
    if (pathAt >= 0 && at > pathAt) return requireSegment(name, value);
    const isEnd = at + whole.length === (pathAt < 0 ? template.length : pathAt);
    // A port is allowed only at the end of the host.
    if (!HOST.test(value) || (!isEnd && value.includes(':'))) throw new AccountError(name, 'is not a host name');
    return value.toLowerCase();
  });
}

function requireValue(name: string, values: Readonly<Record<string, unknown>>, fields: AccountFields): string {
  const found = Object.hasOwn(values, name) ? values[name] : undefined;
  const value = typeof found === 'number' ? String(found) : found;
  if (typeof value !== 'string' || value === '') throw new AccountError(name, 'is absent');
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const problem = field && accountProblem(field, value);
  if (problem) throw new AccountError(name, problem);
  return value;
}

function requireSegment(name: string, value: string): string {
  try {
    return encodeSegment(name, value);
  } catch (error) {
    throw error instanceof InputError ? new AccountError(name, error.message) : error;
  }
}

function requireOrigin(name: string, value: string): string {
  const url = parseUrl(value);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !/^\/?$/.test(url.pathname) ||
    url.username ||
    url.search ||
    url.hash
  ) {
    throw new AccountError(name, 'is not an origin such as https://acme.example.com');
  }
  return url.origin;
}
