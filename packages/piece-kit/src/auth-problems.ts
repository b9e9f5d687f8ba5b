import { CONNECTION_TYPES } from '@drawbridge/contracts';
import { accountProblem } from './account.js';
import { isFunctionOrAbsent, isList, isObject, isOneOf, isText, unless } from './untyped-values.js';

const isHttps = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && value.startsWith('https://');

/** Returns the problems in the `auth` of a piece that is not type-checked. */
export function authProblems(auth: unknown): string[] {
  if (!isObject(auth)) return ['auth must be an object'];
  const { types, required, props, oauth2, test, account = {}, afterConnect, shares = [], keysUrl } = auth;
  const takesOAuth = isList(types) && types.includes('OAUTH2');
  return [
    ...unless(
      isList(types) && types.every((one) => isOneOf(one, CONNECTION_TYPES)),
      `auth.types must be a list of ${CONNECTION_TYPES.join(', ')}`,
    ),
    ...unless(typeof required === 'boolean', 'auth.required must be true or false'),
    // Without props there is no form, and CUSTOM_AUTH has no other way to connect.
    ...unless(
      props !== undefined || !isList(types) || types.some((type) => type !== 'CUSTOM_AUTH'),
      'auth.props must be an object where CUSTOM_AUTH is the only type',
    ),
    ...(props === undefined
      ? []
      : isObject(props)
        ? Object.entries(props).flatMap(propProblems)
        : ['auth.props must be an object']),
    ...unless(isFunctionOrAbsent(test) || isPath(test), 'auth.test must be a path or a function'),
    ...unless(!takesOAuth || isProvider(oauth2), 'auth.oauth2 must have an authUrl, a tokenUrl and a list of scopes'),
    ...unless(
      !takesOAuth || !isProvider(oauth2) || secretAddresses(oauth2).every(hasFixedDomain),
      'auth.oauth2 must have a fixed domain after its placeholders: the secret of the OAuth app is sent there',
    ),
    ...unless(
      !takesOAuth || !isProvider(oauth2) || hasOnly([oauth2['authUrl'], oauth2['tokenUrl']], account),
      'auth.oauth2.authUrl and tokenUrl can only contain values of auth.account: no other value is known before the redirect',
    ),
    ...unless(Array.isArray(shares) && shares.every(isText), 'auth.shares must be a list of sentences'),
    ...unless(keysUrl === undefined || isHttps(keysUrl), 'auth.keysUrl must be a URL with https'),
    ...unless(isFunctionOrAbsent(afterConnect), 'auth.afterConnect must be a function'),
    ...(isObject(account) ? Object.entries(account).flatMap(accountProblems) : ['auth.account must be an object']),
  ];
}

function propProblems([key, prop]: [string, unknown]): string[] {
  const { displayName, required, secret, multiline = false } = isObject(prop) ? prop : {};
  const isWhole = isText(displayName) && [required, secret, multiline].every((one) => typeof one === 'boolean');
  return unless(isWhole, `auth.props.${key} must have a displayName, required and secret`);
}

function accountProblems([key, field]: [string, unknown]): string[] {
  const { displayName, description, pattern } = isObject(field) ? field : {};
  const isWhole = isText(displayName) && isText(description) && (pattern === undefined || isPattern(pattern));
  return unless(
    isWhole,
    `auth.account.${key} must have a displayName, a description, and a valid pattern if it has one`,
  );
}

function isPattern(value: unknown): boolean {
  if (!isText(value)) return false;
  try {
    accountProblem({ displayName: '', description: '', pattern: value }, 'x');
    return true;
  } catch {
    return false;
  }
}

const isPath = (value: unknown): boolean => isText(value) && value.startsWith('/');

function isProvider(value: unknown): value is Record<string, unknown> {
  return (
    isObject(value) &&
    isUrl(sample(value['authUrl'])) &&
    isUrl(sample(value['tokenUrl'])) &&
    Array.isArray(value['scopes'])
  );
}

/** Returns the addresses of a provider that receive the client secret of the OAuth app, or at which users grant access to the app. */
function secretAddresses({ authUrl, tokenUrl, revoke }: Record<string, unknown>): unknown[] {
  return [authUrl, tokenUrl, ...(isObject(revoke) ? [revoke['url']] : [])];
}

const PLACEHOLDER = /\{\w+\}/g;
const SAMPLE = 'x';

/** Returns whether every placeholder has the name of a declared value. */
function hasOnly(addresses: unknown[], account: unknown): boolean {
  const names = addresses.flatMap((address) => String(address).match(PLACEHOLDER) ?? []);
  return names.every((name) => isObject(account) && Object.hasOwn(account, name.slice(1, -1)));
}

/** Returns an address with sample values in its placeholders. */
function sample(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(PLACEHOLDER, SAMPLE) : value;
}

/**
 * Returns whether a placeholder is only one label below a domain of at least two labels, so that the client secret of an app is not sent to a host
 * that a user enters.
 */
function hasFixedDomain(value: unknown): boolean {
  const [, host] = /^https?:\/\/([^/]+)/.exec(String(value)) ?? [];
  return host !== undefined && (!host.includes('{') || /^\{\w+\}(\.[\w-]+){2,}$/.test(host));
}

function isUrl(value: unknown): value is string {
  return isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

export const isOrigin = (value: unknown): boolean => isUrl(value) && new URL(value).origin === value;

/** Returns whether the value is an origin with an optional path, or contains an origin for each type of connection. */
export function isAddress(value: unknown): boolean {
  if (isObject(value))
    return Object.keys(value).every((type) => isOneOf(type, CONNECTION_TYPES)) && Object.values(value).every(isAddress);
  if (!isText(value)) return false;
  const [, whole] = /^\{(\w+)\}$/.exec(value) ?? [];
  if (whole) return true;
  const filled = sample(value);
  return isUrl(filled) && !/[?#]|\/$/.test(filled) && new URL(filled).username === '';
}
