// Controllers → routes and OpenAPI 3.0 (tsoa) → openapi.json: OpenAPI 3.1 with what tsoa can't know.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { upgrade } from '@scalar/openapi-upgrader';

const here = import.meta.dirname;
execFileSync(join(here, 'node_modules/.bin/tsoa'), ['spec-and-routes'], { cwd: here, stdio: 'inherit' });

useOwnTemplateService(join(here, 'src/gen/routes.ts'));

const document = upgrade(JSON.parse(readFileSync(join(here, 'src/gen/openapi-3.0.json'), 'utf8')), '3.1');
const { schemas } = document.components;
nullOptionals(responseSchemas());
schemas.Error = {
  type: 'object',
  required: ['error', 'code', 'details'],
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    details: { type: 'object', additionalProperties: true },
  },
};
const failure = {
  description: 'Refused or failed',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
for (const operation of operations()) {
  operation.responses = { ...operation.responses, default: failure };
  operation.summary ??= inWords(operation.operationId);
  operation.security = operation['x-public'] ? [] : [{ apiKey: [] }];
  delete operation['x-public'];
}
delete document.servers;
const text = JSON.stringify(document, (key, value) => (key === 'nullable' && !value ? undefined : value), 2);
if (text.includes('"nullable"')) throw new Error('OpenAPI 3.1 ignores `nullable`: re-type that property');
writeFileSync(join(here, 'openapi.json'), text + '\n');

/** tsoa's own copies every value for each member of a union, and counts lengths in UTF-16 units. */
function useOwnTemplateService(file) {
  const text = readFileSync(file, 'utf8');
  const own = text
    .replace(
      /, ExpressTemplateService \} from '@tsoa\/runtime';/,
      " } from '@tsoa/runtime';\nimport { TemplateService } from './../rest/template-service.js';",
    )
    .replace('new ExpressTemplateService(', 'new TemplateService(');
  if (own.includes('ExpressTemplateService'))
    throw new Error('tsoa writes routes in another form: adapt this replacement');
  writeFileSync(file, own);
}

/** `ListApiKeys` → `List api keys`. */
function inWords(name) {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function operations() {
  return Object.values(document.paths).flatMap((path) => Object.values(path));
}

/** The schemas that an answer can hold, the inline ones too. */
function responseSchemas() {
  const found = new Set();
  const visit = (node) => {
    if (typeof node !== 'object' || node === null || found.has(node)) return;
    if (node.$ref) return visit(schemas[node.$ref.split('/').at(-1)]);
    found.add(node);
    Object.values(node).forEach(visit);
  };
  operations().forEach((operation) => visit(Object.values(operation.responses)));
  return found;
}

/** In an answer an optional field is always there and may be null. */
function nullOptionals(nodes) {
  for (const schema of nodes) {
    if (schema.type !== 'object' || !schema.properties) continue;
    const required = new Set(schema.required);
    for (const [name, property] of Object.entries(schema.properties)) {
      if (required.has(name)) continue;
      schema.properties[name] = property.$ref
        ? { anyOf: [property, { type: 'null' }] }
        : { ...property, ...(property.type ? { type: [property.type, 'null'].flat() } : {}) };
    }
    schema.required = Object.keys(schema.properties);
  }
}
