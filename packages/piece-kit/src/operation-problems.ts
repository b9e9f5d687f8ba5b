import type { Category } from './action.js';
import { isFunctionOrAbsent, isObject, isOneOf, isText, unless } from './shapes.js';
import type { TriggerKind } from './trigger.js';

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const CATEGORIES = { read: 1, write: 1, delete: 1, send: 1, payment: 1, admin: 1, code: 1 } satisfies Record<
  Category,
  1
>;
/** The functions that a trigger of each kind needs. */
const PARTS = {
  webhook: ['enable', 'disable', 'verify', 'events'],
  polling: ['poll'],
  'app-webhook': ['subscribe', 'route', 'verify', 'events'],
} satisfies Record<TriggerKind, string[]>;
const MAYBE = ['handshake', 'renew'];

export function actionProblems([name, action]: [string, unknown]): string[] {
  const at = `actions.${name}`;
  if (!isObject(action)) return [`${at} must be action({…})`];
  const { category, props, run, recipients = [] } = action;
  return [
    ...operationProblems(at, name, action),
    ...unless(
      isOneOf(category, Object.keys(CATEGORIES)),
      `${at}.category must be one of ${Object.keys(CATEGORIES).join(', ')}`,
    ),
    ...unless(action['usesState'] === undefined, `${at} must be action({…}): state is for built-in pieces`),
    ...unless(typeof run === 'function', `${at} must be action({…}) with a call or a run`),
    ...unless(
      Array.isArray(recipients) && recipients.every((key) => isObject(props) && isOneOf(key, Object.keys(props))),
      `${at}.recipients must be a list of its props`,
    ),
  ];
}

export function triggerProblems([name, trigger]: [string, unknown]): string[] {
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
