import { CONNECTION_TYPES, INTEGRATION_CATEGORIES } from '@drawbridge/contracts';
import { CATEGORIES } from './action.js';
import { type TriggerKind } from './trigger.js';

const PIECE_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Validates a piece from outside of this repository, which was not type-checked here. Returns a sentence for each problem; an empty list
 * means that the piece can be listed and run.
 */
export function pieceProblems(given: unknown): string[] {
  if (!isObject(given)) return ['is no piece: export piece({…}), or a function of the kit that returns it'];
  const { name, displayName, description, categories, origin, auth, actions } = given;
  const { origins = [], triggers = {}, http = {} } = given;
  return [
    ...unless(isText(name) && PIECE_NAME.test(name), 'name must be of lower-case letters, digits and single hyphens'),
    ...unless(isText(displayName), 'displayName must be a text'),
    ...unless(isText(description), 'description must be a text'),
    ...unless(
      isList(categories) && categories.every((one) => isOneOf(one, INTEGRATION_CATEGORIES)),
      `categories must be a list of ${INTEGRATION_CATEGORIES.join(', ')}`,
    ),
    ...unless(origin === undefined || isOrigin(origin), 'origin must be an origin, such as https://api.example.com'),
    ...unless(Array.isArray(origins) && origins.every(isOrigin), 'origins must be a list of such'),
    ...(isObject(http) ? httpProblems(http) : ['http must be an object']),
    ...(auth === undefined ? [] : authProblems(auth)),
    ...(isObject(actions) ? Object.entries(actions).flatMap(actionProblems) : ['actions must be an object']),
    ...(isObject(triggers) ? Object.entries(triggers).flatMap(triggerProblems) : ['triggers must be an object']),
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
  ];
}

function propProblems([key, prop]: [string, unknown]): string[] {
  const { displayName, required, secret, multiline = false } = isObject(prop) ? prop : {};
  const isWhole = isText(displayName) && [required, secret, multiline].every((one) => typeof one === 'boolean');
  return unless(isWhole, `auth.props.${key} must have a displayName, required and secret`);
}

const isPath = (value: unknown): boolean => isText(value) && value.startsWith('/');

function isProvider(value: unknown): boolean {
  return isObject(value) && isUrl(value['authUrl']) && isUrl(value['tokenUrl']) && Array.isArray(value['scopes']);
}

function isUrl(value: unknown): value is string {
  return isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

const isOrigin = (value: unknown): boolean => isUrl(value) && new URL(value).origin === value;

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** The functions that a trigger of each kind needs. */
const PARTS = {
  webhook: ['enable', 'disable', 'verify', 'events'],
  polling: ['poll'],
  'app-webhook': ['subscribe', 'route', 'verify', 'events'],
} satisfies Record<TriggerKind, string[]>;
const MAYBE = ['handshake', 'renew'];

function actionProblems([name, action]: [string, unknown]): string[] {
  const at = `actions.${name}`;
  if (!isObject(action)) return [`${at} must be action({…})`];
  const { category, props, run, recipients = [] } = action;
  return [
    ...operationProblems(at, name, action),
    ...unless(isOneOf(category, CATEGORIES), `${at}.category must be one of ${CATEGORIES.join(', ')}`),
    ...unless(action['usesState'] === undefined, `${at} must be action({…}): state is for built-in pieces`),
    ...unless(action['usesSandbox'] === undefined, `${at} must be action({…}): the sandbox is for built-in pieces`),
    ...unless(typeof run === 'function', `${at} must be action({…}) with a call or a run`),
    ...unless(
      Array.isArray(recipients) && recipients.every((key) => isObject(props) && isOneOf(key, Object.keys(props))),
      `${at}.recipients must be a list of its props`,
    ),
  ];
}

function triggerProblems([name, trigger]: [string, unknown]): string[] {
  const at = `triggers.${name}`;
  if (!isObject(trigger)) return [`${at} must be trigger({…})`];
  const { kind, sample } = trigger;
  const parts = Object.entries(PARTS).find(([one]) => one === kind)?.[1];
  return [
    ...operationProblems(at, name, trigger),
    ...unless(isObject(sample), `${at}.sample must be an object`),
    ...unless(parts !== undefined, `${at}.kind must be one of ${Object.keys(PARTS).join(', ')}`),
    ...(parts ?? []).flatMap((part) => unless(typeof trigger[part] === 'function', `${at}.${part} must be a function`)),
    ...MAYBE.flatMap((part) => unless(isFunctionOrAbsent(trigger[part]), `${at}.${part} must be a function`)),
  ];
}

function operationProblems(at: string, name: string, { displayName, description, props }: Record<string, unknown>) {
  return [
    ...unless(NAME.test(name), `${at} must be named in lower case with underscores`),
    ...unless(isText(displayName) && isText(description), `${at} must have a displayName and a description`),
    ...unless(
      isObject(props) &&
        Object.values(props).every((prop) => isObject(prop) && isText(prop['type']) && isObject(prop['schema'])),
      `${at}.props must be properties of the kit, such as shortText('Title')`,
    ),
  ];
}

// Checks for values that are not type-checked.

/** Returns the problem unless the condition holds. */
const unless = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
const isOneOf = (value: unknown, known: readonly string[]): boolean => isText(value) && known.includes(value);

const isFunctionOrAbsent = (value: unknown): boolean => ['undefined', 'function'].includes(typeof value);
