import { invalid } from '@drawbridge/contracts';
import { type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** What is wrong, by the path of the offending key: `{'input.labels[2]': 'must be string'}`. Empty: nothing. */
export type Problems = Record<string, string>;
export type Check = (value: unknown) => Problems;

/** An invalid value up to this size (as JSON) hears of all its problems, a larger one of the first. */
const ALL_UP_TO_CHARACTERS = 65_536;
/** Keywords that only say that the ones inside them failed. */
const WRAPPERS = ['anyOf', 'if', 'propertyNames'];

/** Fails with VALIDATION_ERROR naming the problems, if there are any. */
export function requireNone(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/** `root` is what the value is called in paths. Compiling takes milliseconds: keep the check. */
export function compileCheck(schema: object, root: string): Check {
  const isValid = FIRST.compile(schema);
  return (value) => {
    if (isValid(value)) return {};
    // An attacker's long list must not cost an error object an item. ajv keeps what it compiled, by the schema's identity.
    const check = JSON.stringify(value).length > ALL_UP_TO_CHARACTERS ? isValid : ALL.compile(schema);
    check(value);
    return toProblems(check.errors ?? [], { value, root });
  };
}

const FIRST = new Ajv2020({ strictTypes: false });
const ALL = new Ajv2020({ strictTypes: false, allErrors: true });

interface Subject {
  value: unknown;
  root: string;
}

function toProblems(errors: ErrorObject[], subject: Subject): Problems {
  const problems = new Map<string, string>();
  for (const error of errors) {
    if (WRAPPERS.includes(error.keyword)) continue;
    const path = pathOf(error, subject);
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
