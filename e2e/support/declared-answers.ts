import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Answer } from './api.js';
import { TIMESTAMP } from './expect.js';

interface Operation {
  operationId: string;
  responses: Record<string, { $ref?: string; content?: Record<string, object> }>;
}

interface Route {
  pattern: RegExp;
  path: string;
  methods: Record<string, Operation>;
}

const DOCUMENT = 'openapi';
const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../services/gateway/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': TIMESTAMP, uuid: true, int32: true, double: true } });
ajv.addSchema(document, DOCUMENT);

// Paths without parameters are first, because `/members/invitations` is not a member with the id `invitations`.
const routes: Route[] = Object.entries(document.paths)
  .map(([path, methods]) => ({ path, methods, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((one, other) => one.path.split('{').length - other.path.split('{').length);

/** Throws if an operation of the OpenAPI document returns a status or body that the document does not declare. Other paths are not checked. */
export function requireDeclared(method: string, path: string, { status, body, headers }: Answer): void {
  const pathname = path.split(/[?#]/, 1)[0]!;
  const route = routes.find(({ pattern }) => pattern.test(pathname));
  const operation = route?.methods[method.toLowerCase()];
  if (!route || !operation || status === 304) return;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const response = operation.responses[status];
  const at = `${operation.operationId} answers ${status}`;
  if (!response) throw new Error(`${at}, which the OpenAPI document does not declare: ${JSON.stringify(body)}`);
  if (type !== 'application/json') return;
  const validate = validatorOf(route.path, method, status, response.$ref);
  if (validate(body)) return;
  throw new Error(`${at} with another body than the OpenAPI document declares: ${ajv.errorsText(validate.errors)}`);
}

function validatorOf(path: string, method: string, status: number, $ref?: string): ValidateFunction {
  const inline = ['paths', path, method.toLowerCase(), 'responses', String(status)].map(escaped).join('/');
  const pointer = `${$ref?.slice(2) ?? inline}/content/application~1json/schema`;
  const validate = ajv.getSchema(`${DOCUMENT}#/${encodeURI(pointer)}`);
  if (!validate) throw new Error(`The OpenAPI document has no schema at ${pointer}`);
  return validate;
}

/** Escapes a part of a JSON pointer (RFC 6901). */
const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
