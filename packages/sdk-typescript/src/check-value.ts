import { findEqual } from './find-equal.js';
import { type JsonSchema } from './json-schema.js';

/** Receives each problem: the path of the value, the message, and whether it concerns only one of several allowed alternatives (`anyOf`). */
type Report = (path: string, message: string, isAlternative?: boolean) => void;

/** The problems of a value by their paths, as in `details.fields` of a VALIDATION_ERROR. Empty: the value is valid. */
export type Problems = Record<string, { message: string }>;

/** Returns the problems of a value. Paths and messages are those of the server, in the order in which ajv checks the keywords of a schema. */
export function findProblems(schema: JsonSchema, value: unknown, root: string): Problems {
  const problems = new Map<string, string>();
  checkValue(schema, value, root, (path, message, isAlternative = false) => {
    const before = problems.get(path);
    if (before === undefined) problems.set(path, message);
    else if (!before.includes(message)) problems.set(path, `${before} ${isAlternative ? 'or' : 'and'} ${message}`);
  });
  return Object.fromEntries([...problems].map(([path, message]) => [path, { message }]));
}

function checkValue(schema: JsonSchema | boolean, value: unknown, path: string, report: Report): void {
  if (typeof schema === 'boolean') return schema ? undefined : report(path, 'is not allowed');
  if (schema.type && !isOfType(schema.type, value)) report(path, `must be ${schema.type}`);
  if (schema.enum && !schema.enum.includes(value as string)) report(path, `must be one of ${schema.enum.join(', ')}`);
  if (schema.anyOf) checkAlternatives(schema.anyOf, value, path, report);
  if (typeof value === 'string') checkText(schema, value, (message) => report(path, message));
  if (Number.isFinite(value)) checkNumber(schema, value as number, (message) => report(path, message));
  if (Array.isArray(value)) checkList(schema, value, path, report);
  else if (typeof value === 'object' && value !== null) checkObject(schema, value, path, report);
}

function isOfType(type: NonNullable<JsonSchema['type']>, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** Reports nothing if the value matches one alternative, and otherwise the problems of all of them: `must be string or must be number`. */
function checkAlternatives(schemas: readonly JsonSchema[], value: unknown, path: string, report: Report): void {
  const found: [string, string][] = [];
  for (const schema of schemas) {
    const before = found.length;
    checkValue(schema, value, path, (at, message) => void found.push([at, message]));
    if (found.length === before) return;
  }
  for (const [at, message] of found) report(at, message, true);
}

function checkText(
  { minLength = 0, maxLength = Infinity, pattern }: JsonSchema,
  text: string,
  report: (message: string) => void,
) {
  const length = [...text].length;
  if (length > maxLength) report(`must NOT have more than ${maxLength} characters`);
  if (length < minLength) report(`must NOT have fewer than ${minLength} characters`);
  if (pattern && !new RegExp(pattern, 'u').test(text)) report(`must match pattern "${pattern}"`);
}

function checkNumber(
  { minimum = -Infinity, maximum = Infinity }: JsonSchema,
  value: number,
  report: (message: string) => void,
) {
  if (value > maximum) report(`must be <= ${maximum}`);
  if (value < minimum) report(`must be >= ${minimum}`);
}

function checkList(schema: JsonSchema, list: unknown[], path: string, report: Report): void {
  const { items = true, minItems = 0, maxItems = Infinity, uniqueItems = false } = schema;
  if (list.length > maxItems) report(path, `must NOT have more than ${maxItems} items`);
  if (list.length < minItems) report(path, `must NOT have fewer than ${minItems} items`);
  list.forEach((item, index) => checkValue(items, item, `${path}[${index}]`, report));
  const equal = uniqueItems && findEqual(list, items);
  if (equal) report(path, `must NOT have duplicate items (items ## ${equal.join(' and ')} are identical)`);
}

function checkObject(schema: JsonSchema, value: object, path: string, report: Report): void {
  const { properties = {}, required = [], propertyNames, additionalProperties: others = true } = schema;
  const given = value as Record<string, unknown>;
  for (const name of required) if (given[name] === undefined) report(`${path}.${name}`, 'is required');
  for (const [name, one] of Object.entries(given)) {
    const at = `${path}.${name}`;
    if (one === undefined) continue;
    if (propertyNames)
      checkValue(propertyNames, name, at, (_, message, isAlternative) =>
        report(at, `its name ${message}`, isAlternative),
      );
    if (Object.hasOwn(properties, name)) checkValue(properties[name]!, one, at, report);
    else if (others === false) report(at, 'unknown key');
    else checkValue(others, one, at, report);
  }
}
