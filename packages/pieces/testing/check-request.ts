import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'qs';
import { readMultipart } from './read-multipart.js';
import type { Recorded } from './third-party.js';

/** A provider's API description, reduced by `cut-description.mjs`. */
export interface Description {
  source: string;
  /** The path of the server, a prefix of the operations' paths. */
  base?: string;
  operations: Record<string, Operation>;
}

interface Operation {
  /** Fields of the response that the piece reads, such as `items.*.id`. */
  answer?: string[];
  parameters: Parameter[];
  /** The body. `type` is set if the body is not JSON. */
  body?: { required: boolean; type?: string; schema: Schema };
  /** The parts of the response that the piece reads. */
  response?: Schema;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  multiSegment?: boolean;
  /** False for a list in one value, with items separated by commas. */
  explode?: boolean;
  schema: Schema;
}

type Schema = Record<string, unknown>;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

// Strings in a path, query or form are converted to numbers and lists. A JSON body must match exactly.
const loose = new Ajv2020({ allErrors: true, coerceTypes: 'array', strict: false });
const exact = new Ajv2020({ allErrors: true, strict: false });

/**
 * Returns the problems of a request according to the provider's description. It is stricter than the provider: query parameters and body keys that
 * the description does not contain are problems at any depth.
 */
export function checkRequest(description: Description, request: Recorded): string[] {
  const { pathname, searchParams } = new URL(request.url, 'http://third-party');
  const found = findOperation(description, request.method, pathname);
  if (!found) return [`${request.method} ${pathname} is no operation`];

  const { operation, path } = found;
  return [
    ...checkParameters(operation, 'path', path),
    ...checkParameters(operation, 'query', toQuery(searchParams)),
    ...checkBody(operation, request),
  ];
}

/** Returns the problems of a body with which a test responds to an operation: keys and values that the description does not contain. */
export function checkResponse({ operations }: Description, name: string, body: unknown): string[] {
  const schema = operations[name]?.response;
  if (!schema) return [`${name} has no response`];
  const validate = validatorOf(schema, exact);
  return validate(body) ? [] : (validate.errors ?? []).map((error) => `response${toText(error)}`);
}

function findOperation({ operations, base = '' }: Description, method: string, pathname: string) {
  for (const [name, operation] of Object.entries(operations)) {
    const [ofMethod, template = ''] = name.split(' ');
    const values = ofMethod === method && toPattern(base + template, operation).exec(pathname);
    if (values) return { operation, path: Object.fromEntries(namesIn(template).map(toEntry(values))) };
  }
  return undefined;
}

const namesIn = (template: string): string[] => [...template.matchAll(NAME)].map(([, name = '']) => name);

const toEntry = (values: RegExpExecArray) => (name: string, index: number) =>
  [name, decodeURIComponent(values[index + 1] ?? '')] as const;

/** A parameter in a path. Some descriptions use a hyphen in its name. */
const NAME = /\{([\w-]+)\}/g;

/**
 * Returns a pattern for the paths of a template, with a group for each parameter. All other characters are literal, because Microsoft uses
 * parentheses in paths.
 */
function toPattern(template: string, { parameters }: Operation): RegExp {
  const several = parameters.filter(({ multiSegment }) => multiSegment).map(({ name }) => name);
  const groups = namesIn(template).map((name) => (several.includes(name) ? '(.+)' : '([^/]+)'));
  const texts = template.split(/\{[\w-]+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${texts.map((text, index) => text + (groups[index] ?? '')).join('')}$`);
}

/** Returns the query. Repeated keys become a list. */
function toQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const entries = [...new Set(parameters.keys())].map((key) => [key, parameters.getAll(key)] as const);
  return Object.fromEntries(
    entries.map(([key, [first = '', ...more]]) => [key, more.length ? [first, ...more] : first]),
  );
}

function checkParameters({ parameters }: Operation, place: string, values: Record<string, unknown>): string[] {
  const declared = parameters.filter((parameter) => parameter.in === place);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(declared.map((parameter) => [parameter.name, parameter.schema])),
    required: declared.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  const validate = loose.compile(schema);
  const separated = declared.filter(({ name, explode }) => explode === false && name in values);
  const lists = Object.fromEntries(separated.map(({ name }) => [name, String(values[name]).split(',')]));
  return validate({ ...values, ...lists }) ? [] : (validate.errors ?? []).map((error) => `${place}${toText(error)}`);
}

function checkBody({ body }: Operation, request: Recorded): string[] {
  if (request.body === '') return body?.required ? ['body is missing'] : [];
  if (!body) return ['body is not expected'];
  const { type = JSON_TYPE } = body;
  const sent = request.headers['content-type'];
  if (sent !== type && !(type === MULTIPART && sent?.startsWith(`${type};`))) return [`body is not sent as ${type}`];
  if (![JSON_TYPE, FORM, MULTIPART].includes(type)) return [];

  const validate = validatorOf(body.schema, type === JSON_TYPE ? exact : loose);
  return validate(readBody(type, request)) ? [] : (validate.errors ?? []).map((error) => `body${toText(error)}`);
}

/** Compiled validators are cached, because compiling a large schema takes longer than all its uses. */
const validators = new WeakMap<Schema, ValidateFunction>();

function validatorOf(schema: Schema, ajv: Ajv2020): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile({ allOf: [closed(schema)] });
  validators.set(schema, validate);
  return validate;
}

function readBody(type: string, request: Recorded): unknown {
  if (type === JSON_TYPE) return JSON.parse(request.body);
  if (type === FORM) return readForm(request.body);
  // Multipart forms use the same names for nested values.
  const fields = (readMultipart(request) ?? []).map(({ name, content }) => [name, content]);
  return readForm(new URLSearchParams(fields).toString());
}

/** Parses a form with nested keys: `a[b]=1&c[]=2&d[0][e]=3`. */
function readForm(text: string): unknown {
  return parse(text, { depth: 8, arrayLimit: 100, strictDepth: true });
}

/** Returns the schema without additional properties in any object. The members of `allOf` are closed together. */
function closed(schema: unknown): unknown {
  const inner = closedInside(schema);
  if (typeof inner !== 'object' || inner === null || 'additionalProperties' in inner) return inner;
  if ('allOf' in inner) return { ...inner, unevaluatedProperties: false };
  return 'properties' in inner ? { ...inner, additionalProperties: false } : inner;
}

function closedInside(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  return mapValues(schema, (value, key) =>
    key === 'allOf' && Array.isArray(value) ? value.map(closedInside) : closed(value),
  );
}

function toText({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

function mapValues<In, Out>(
  record: Record<string, In> | object,
  convert: (value: In, key: string) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, convert(value, key)]));
}
