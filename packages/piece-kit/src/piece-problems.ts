import { type ConnectionType, INTEGRATION_CATEGORIES } from '@drawbridge/contracts';
import type { Category } from './action.js';

const PIECE_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const ACTION_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const TYPES = { SECRET_TEXT: 1, BASIC_AUTH: 1, CUSTOM_AUTH: 1, OAUTH2: 1, PLATFORM_OAUTH2: 1 } satisfies Record<
  ConnectionType,
  1
>;
const EFFECTS = { read: 1, write: 1, delete: 1, send: 1, payment: 1, admin: 1, code: 1 } satisfies Record<Category, 1>;

/**
 * What is wrong with what somebody outside of this repository declares as a piece, which no compiler has seen: each a
 * sentence about a key. None: it can be listed and run.
 */
export function pieceProblems(given: unknown): string[] {
  if (!isObject(given)) return ['is no piece: export piece({…}), or a function of the kit that returns it'];
  const { name, displayName, description, categories, origin, auth, actions, http = {} } = given;
  return [
    ...unless(isText(name) && PIECE_NAME.test(name), 'name must be of lower-case letters, digits and single hyphens'),
    ...unless(isText(displayName), 'displayName must be a text'),
    ...unless(isText(description), 'description must be a text'),
    ...unless(
      isList(categories) && categories.every((one) => isOneOf(one, INTEGRATION_CATEGORIES)),
      `categories must be a list of ${INTEGRATION_CATEGORIES.join(', ')}`,
    ),
    ...unless(origin === undefined || isOrigin(origin), 'origin must be an origin, such as https://api.example.com'),
    ...(isObject(http) ? httpProblems(http) : ['http must be an object']),
    ...(auth === undefined ? [] : authProblems(auth)),
    ...(isObject(actions) ? Object.entries(actions).flatMap(actionProblems) : ['actions must be an object']),
  ];
}

function httpProblems({ authorize, paging, failedWhen }: Record<string, unknown>): string[] {
  const { items, next } = isObject(paging) ? paging : {};
  return [
    ...unless(isFunctionOrAbsent(authorize), 'http.authorize must be a function'),
    ...unless(isFunctionOrAbsent(failedWhen), 'http.failedWhen must be a function'),
    ...unless(
      paging === undefined || (typeof items === 'function' && typeof next === 'function'),
      'http.paging must have functions items and next',
    ),
  ];
}

function authProblems(auth: unknown): string[] {
  if (!isObject(auth)) return ['auth must be an object'];
  const { types, required, props, oauth2, test } = auth;
  const takesOAuth = isList(types) && types.includes('OAUTH2');
  return [
    ...unless(
      isList(types) && types.every((one) => isOneOf(one, Object.keys(TYPES))),
      `auth.types must be a list of ${Object.keys(TYPES).join(', ')}`,
    ),
    ...unless(typeof required === 'boolean', 'auth.required must be true or false'),
    ...(props === undefined
      ? []
      : isObject(props)
        ? Object.entries(props).flatMap(propProblems)
        : ['auth.props must be an object']),
    ...unless(isFunctionOrAbsent(test) || isPath(test), 'auth.test must be a path or a function'),
    ...unless(!takesOAuth || isProvider(oauth2), 'auth.oauth2 must have an authUrl, a tokenUrl and a list of scopes'),
  ];
}

function propProblems([key, prop]: [string, unknown]): string[] {
  const { displayName, required, secret } = isObject(prop) ? prop : {};
  const isWhole = isText(displayName) && typeof required === 'boolean' && typeof secret === 'boolean';
  return unless(isWhole, `auth.props.${key} must have a displayName, required and secret`);
}

function actionProblems([name, action]: [string, unknown]): string[] {
  if (!isObject(action)) return [`actions.${name} must be action({…})`];
  const { displayName, description, category, props, run, recipients = [] } = action;
  return [
    ...unless(ACTION_NAME.test(name), `actions.${name} must be named in lower case with underscores`),
    ...unless(isText(displayName) && isText(description), `actions.${name} must have a displayName and a description`),
    ...unless(
      isOneOf(category, Object.keys(EFFECTS)),
      `actions.${name}.category must be one of ${Object.keys(EFFECTS).join(', ')}`,
    ),
    ...unless(typeof run === 'function', `actions.${name} must be action({…}) with a call or a run`),
    ...unless(
      isObject(props) &&
        Object.values(props).every((prop) => isObject(prop) && isText(prop['type']) && isObject(prop['schema'])),
      `actions.${name}.props must be properties of the kit, such as shortText('Title')`,
    ),
    ...unless(
      Array.isArray(recipients) && recipients.every((key) => isObject(props) && isOneOf(key, Object.keys(props))),
      `actions.${name}.recipients must be a list of its props`,
    ),
  ];
}

const unless = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
const isOneOf = (value: unknown, known: readonly string[]): boolean => isText(value) && known.includes(value);

const isFunctionOrAbsent = (value: unknown): boolean => ['undefined', 'function'].includes(typeof value);
const isPath = (value: unknown): boolean => isText(value) && value.startsWith('/');

function isProvider(value: unknown): boolean {
  return isObject(value) && isUrl(value['authUrl']) && isUrl(value['tokenUrl']) && Array.isArray(value['scopes']);
}

function isUrl(value: unknown): value is string {
  return isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

const isOrigin = (value: unknown): boolean => isUrl(value) && new URL(value).origin === value;
