import { cutText, invalid, MAX_PATH_CHARACTERS, MAX_PROBLEMS, suggestion } from '@drawbridge/contracts';
import { type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Problems by the path of the field: `{'input.labels[2]': 'must be string'}`. Empty if there are none. */
export type Problems = Record<string, string>;
export type Check = (value: unknown) => Problems;

/**
 * Maximum weight of a value, in characters, up to which all problems are reported. For a heavier value, only the first problem is reported. Otherwise
 * a long list, or a list under a long key, would cost an error and a path for each item, and a long string would cost the evaluation of its pattern.
 * A length limit of a string is checked before its pattern.
 */
const ALL_UP_TO_CHARACTERS = 50_000;
/** The weight of a character of a string, because a pattern may read each character several times. */
const TEXT_FACTOR = 5;
/** The weight of a list item or any other value, in addition to its path. */
const ITEM_CHARACTERS = 10;
/** Keywords that only report that a nested keyword failed. */
const WRAPPERS = ['anyOf', 'if', 'propertyNames'];

/** Throws VALIDATION_ERROR if there are problems. */
export function requireNoProblems(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/** Compiles a check. `root` is the name of the value in paths. Compiling takes milliseconds, so the check should be reused. */
export function compileCheck(schema: object, root: string): Check {
  const isValid = FIRST.compile(schema);
  return (value) => {
    if (isValid(value)) return {};
    // Compiling again is cheap, because ajv caches the compiled function for each schema object.
    const check = charactersOf(value) > ALL_UP_TO_CHARACTERS ? isValid : ALL.compile(schema);
    check(value);
    return toProblems(check.errors ?? [], { value, root });
  };
}

const FIRST = new Ajv2020({ strictTypes: false });
// Verbose errors contain the schema with its known keys, from which a message suggests a similar key.
const ALL = new Ajv2020({ strictTypes: false, allErrors: true, verbose: true });

/** Returns the weight of a value: the characters of its texts and of the paths of its items. Stops counting above the limit. */
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
    // Shortens the path before it is used as a key, so that long paths with the same beginning are reported as one problem.
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

/** Converts ajv's JSON pointer (RFC 6901) to a path such as `input.labels[2]`, including a key that is missing, unknown or invalid. */
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

function messageOf({ keyword, params, message = 'is invalid', propertyName, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `unknown key${dotted(suggestion(String(params['additionalProperty']), Object.keys(parentSchema?.['properties'] ?? {})))}`;
    case 'enum':
      return `must be one of ${params['allowedValues'].join(', ')}`;
    default:
      return propertyName === undefined ? message : `its name ${message}`;
  }
}

const dotted = (sentence: string): string => (sentence === '' ? '' : `.${sentence}`);
