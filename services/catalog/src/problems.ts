import { cutText, invalid, MAX_PATH_CHARACTERS, MAX_PROBLEMS } from '@drawbridge/contracts';
import { type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** What is wrong, by the path of the offending key: `{'input.labels[2]': 'must be string'}`. Empty: nothing. */
export type Problems = Record<string, string>;
export type Check = (value: unknown) => Problems;

/**
 * An invalid value hears of all its problems as long as the paths of all its values are no longer than this together, else
 * of the first: an attacker's long list, or a list under a long key, must not cost an error and a path an item. Nor must a long text
 * cost what a pattern makes of it: the first problem of one is its length, where that has a limit.
 */
const ALL_UP_TO_CHARACTERS = 50_000;
/** What a character of a text counts: a pattern may look at each many times. */
const TEXT_FACTOR = 5;
/** What an item of a list counts, and any value beside the text of its path. */
const ITEM_CHARACTERS = 10;
/** Keywords that only say that the ones inside them failed. */
const WRAPPERS = ['anyOf', 'if', 'propertyNames'];

/** Throws VALIDATION_ERROR naming the problems, if there are any. */
export function requireNoProblems(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/** `root` is what the value is called in paths. Compiling takes milliseconds: keep the check. */
export function compileCheck(schema: object, root: string): Check {
  const isValid = FIRST.compile(schema);
  return (value) => {
    if (isValid(value)) return {};
    // ajv keeps what it compiled, by the schema's identity.
    const check = charactersOf(value) > ALL_UP_TO_CHARACTERS ? isValid : ALL.compile(schema);
    check(value);
    return toProblems(check.errors ?? [], { value, root });
  };
}

const FIRST = new Ajv2020({ strictTypes: false });
const ALL = new Ajv2020({ strictTypes: false, allErrors: true });

/** Stops counting where it is too many. */
function charactersOf(value: unknown, before = 0): number {
  if (typeof value === 'string') return value.length * TEXT_FACTOR;
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  for (const key of Object.keys(value)) {
    const path = before + ITEM_CHARACTERS + (Array.isArray(value) ? 0 : key.length);
    characters += path + charactersOf((value as Record<string, unknown>)[key], path);
    if (characters > ALL_UP_TO_CHARACTERS) break;
  }
  return characters;
}

interface Subject {
  value: unknown;
  root: string;
}

function toProblems(errors: ErrorObject[], subject: Subject): Problems {
  const problems = new Map<string, string>();
  for (const error of errors) {
    if (WRAPPERS.includes(error.keyword)) continue;
    if (problems.size === MAX_PROBLEMS) break;
    // Cut here already: long texts as keys of a map collide with one another.
    const path = cutText(pathOf(error, subject), MAX_PATH_CHARACTERS);
    problems.set(path, join(problems.get(path), error));
  }
  return Object.fromEntries(problems);
}

function join(before: string | undefined, error: ErrorObject): string {
  const message = messageOf(error);
  if (before === undefined || before.includes(message)) return before ?? message;
  return `${before} ${error.schemaPath.includes('/anyOf/') ? 'or' : 'and'} ${message}`;
}

/** From ajv's JSON pointer (RFC 6901) to `input.labels[2]`, down to the key that is missing, unknown or misnamed. */
function pathOf({ instancePath, params, propertyName }: ErrorObject, { value, root }: Subject): string {
  const keys = instancePath.split('/').slice(1).map(unescape);
  const last = params['missingProperty'] ?? params['additionalProperty'] ?? propertyName;
  let path = root;
  let parent = value;
  for (const key of last === undefined ? keys : [...keys, String(last)]) {
    path += Array.isArray(parent) ? `[${key}]` : `.${key}`;
    parent = (parent as Record<string, unknown> | undefined)?.[key];
  }
  return path;
}

const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

function messageOf({ keyword, params, message = 'is invalid', propertyName }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'unknown key';
    case 'enum':
      return `must be one of ${params['allowedValues'].join(', ')}`;
    default:
      return propertyName === undefined ? message : `its name ${message}`;
  }
}
