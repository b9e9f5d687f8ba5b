import { type JsonSchema } from './json-schema.js';

/** Receives each problem: the path of the value, and what is wrong with it, in the words of the API. */
export type Report = (path: string, message: string) => void;

/** Reports what is wrong with a value. Paths and messages are those of `details.fields` of a VALIDATION_ERROR. */
export function checkValue(schema: JsonSchema | boolean, value: unknown, path: string, report: Report): void {
  if (typeof schema === 'boolean') return schema ? undefined : report(path, 'is not allowed');
  if (schema.type && !isOfType(schema.type, value)) return report(path, `must be ${schema.type}`);
  if (schema.enum && !schema.enum.includes(value as string)) report(path, `must be one of ${schema.enum.join(', ')}`);
  if (schema.anyOf) checkAlternatives(schema.anyOf, value, path, report);
  if (typeof value === 'string') checkText(schema, value, (message) => report(path, message));
  if (typeof value === 'number') checkNumber(schema, value, (message) => report(path, message));
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

/** A value fits one alternative, or has the problems of all: `must be string or must be number`. */
function checkAlternatives(schemas: readonly JsonSchema[], value: unknown, path: string, report: Report): void {
  const found: [string, string][] = [];
  for (const schema of schemas) {
    const before = found.length;
    checkValue(schema, value, path, (...problem) => void found.push(problem));
    if (found.length === before) return;
  }
  const byPath = new Map<string, string[]>();
  for (const [at, message] of found) byPath.set(at, [...(byPath.get(at) ?? []), message]);
  for (const [at, messages] of byPath) report(at, [...new Set(messages)].join(' or '));
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
  if (!uniqueItems) return;
  const texts = list.map((item) => JSON.stringify(item));
  if (new Set(texts).size < texts.length) report(path, `must NOT have duplicate items`);
}

function checkObject(schema: JsonSchema, value: object, path: string, report: Report): void {
  const { properties = {}, required = [], propertyNames, additionalProperties: others = true } = schema;
  const given = value as Record<string, unknown>;
  for (const name of required) if (given[name] === undefined) report(`${path}.${name}`, 'is required');
  for (const [name, one] of Object.entries(given)) {
    const at = `${path}.${name}`;
    if (one === undefined) continue;
    if (propertyNames) checkValue(propertyNames, name, at, (_, message) => report(at, `its name ${message}`));
    if (Object.hasOwn(properties, name)) checkValue(properties[name]!, one, at, report);
    else if (others === false) report(at, 'unknown key');
    else checkValue(others, one, at, report);
  }
}
