import { INTEGRATION_CATEGORIES } from '@drawbridge/contracts';
import { authProblems, isAddress, isOrigin } from './auth-problems.js';
import { CATEGORIES } from './action.js';
import { placeholdersOf } from './summary.js';
import { type TriggerKind } from './trigger.js';
import { isFunction, isFunctionOrAbsent, isList, isObject, isOneOf, isText, unless } from './untyped-values.js';

const PIECE_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Validates a piece from outside of this repository, which was not type-checked here. Returns a sentence for each problem. If the list is empty, the
 * piece can be listed and run.
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
    ...unless(
      origin === undefined || isAddress(origin),
      'origin must be an origin, such as https://api.example.com or https://{subdomain}.example.com',
    ),
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

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** The functions that a trigger of each kind requires. */
const PARTS = {
  webhook: ['enable', 'disable', 'verify'],
  polling: ['poll'],
  'app-webhook': ['subscribe', 'route', 'verify'],
} satisfies Record<TriggerKind, string[]>;
const MAYBE = ['handshake', 'renew'];

function actionProblems([name, action]: [string, unknown]): string[] {
  const at = `actions.${name}`;
  if (!isObject(action)) return [`${at} must be action({…})`];
  const { category, props, run, recipients = [], summary = '' } = action;
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
    ...unless(
      typeof summary === 'string' &&
        isObject(props) &&
        placeholdersOf(summary).every((key) => Object.hasOwn(props, key)),
      `${at}.summary must be a text with placeholders that name its props`,
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
    ...unless(
      kind === 'polling' || isFunction(trigger['events']) !== isFunction(trigger['poll']),
      `${at} must have either events or poll`,
    ),
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
