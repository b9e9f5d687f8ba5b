// Generates routes and OpenAPI 3.0 from the controllers (tsoa), then openapi.json (OpenAPI 3.1 with additions that tsoa does not support) and
// docs/errors.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { upgrade } from '@scalar/openapi-upgrader';
import { toErrorsPage } from './document/errors-page.mjs';
import { typeCodeRequest } from './document/code-request.mjs';
import { typeApprovers } from './document/approver-union.mjs';
import { describeFields } from './document/describe-fields.mjs';
import { addExamples } from './document/examples.mjs';
import { ERROR_SCHEMA, failuresOf, requireSameForAll } from './document/failures.mjs';
import { describeOperations, LICENSE, summaryOf, TAGS } from './document/operation-words.mjs';
import { closeSets } from './document/closed-sets.mjs';
import { nullOptionals, requireInRequests, separateRequests } from './document/presence.mjs';
import { addResponseExamples } from './document/response-examples.mjs';

const here = import.meta.dirname;
execFileSync(join(here, 'node_modules/.bin/tsoa'), ['spec-and-routes'], { cwd: here, stdio: 'inherit' });

useOwnTemplateService(join(here, 'src/gen/routes.ts'));

const document = upgrade(JSON.parse(readFileSync(join(here, 'src/gen/openapi-3.0.json'), 'utf8')), '3.1');
const { schemas, responses } = Object.assign(document.components, { responses: {} });
typeApprovers(schemas);
typeCodeRequest(schemas);
const bodies = operations().flatMap(({ requestBody }) => requestBody ?? []);
separateRequests(bodies, responseSchemas(), schemas);
requireInRequests(operations(), schemas);
nullOptionals(responseSchemas(), schemas);
closeSets(document);
schemas.Error = ERROR_SCHEMA;
responses.Failure = {
  description: 'The request was refused or failed',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const failure = { $ref: '#/components/responses/Failure' };
for (const operation of operations()) {
  operation.responses = { ...operation.responses, ...failuresOf(operation, responses), default: failure };
  if (operation['x-same-for-all']) {
    requireSameForAll(operation.operationId);
    operation.responses['304'] = { description: 'The response has not changed since the `ETag` in `If-None-Match`' };
  }
  operation.summary ??= summaryOf(operation.operationId);
  operation.security = operation['x-public'] ? [] : [{ apiKey: [] }];
  addExamples(operation, schemas);
  delete operation['x-public'];
  delete operation['x-fails'];
  delete operation['x-example'];
}
dropUnused();
document.info.license = LICENSE;
document.tags = TAGS;
describeOperations(document);
describeFields(document);
addResponseExamples(document);
// The gateway replaces this server with BASE_URL when it serves the document.
document.servers = [{ url: '/', description: 'The Drawbridge instance that serves this document.' }];
const text = JSON.stringify(document, (key, value) => (key === 'nullable' && !value ? undefined : value), 2);
if (text.includes('"nullable"')) throw new Error('OpenAPI 3.1 ignores `nullable`: re-type that property');
writeFileSync(join(here, 'openapi.json'), text + '\n');
writeFileSync(join(here, '../../docs/errors.md'), toErrorsPage(operations()));

/** Replaces tsoa's template service by that of rest/api-controller.ts: tsoa's copies a value for each member of a union and counts UTF-16 units. */
function useOwnTemplateService(file) {
  const text = readFileSync(file, 'utf8');
  const own = text
    .replace(
      /, ExpressTemplateService \} from '@tsoa\/runtime';/,
      " } from '@tsoa/runtime';\nimport { TemplateService } from './../rest/api-controller.js';",
    )
    .replace('new ExpressTemplateService(', 'new TemplateService(');
  if (own.includes('ExpressTemplateService'))
    throw new Error('tsoa generates routes in an unexpected form: adapt this replacement');
  writeFileSync(file, own);
}

function operations() {
  return Object.values(document.paths).flatMap((path) => Object.values(path));
}

/** Returns the schemas that a response can contain, including inline schemas. */
function responseSchemas() {
  const found = new Set();
  operations().forEach((operation) => visitSchemas(Object.values(operation.responses), found));
  return found;
}

/** Collects every node below `node`, including the schemas that it refers to. */
function visitSchemas(node, found) {
  if (typeof node !== 'object' || node === null || found.has(node)) return;
  if (node.$ref) {
    const [kind, name] = node.$ref.split('/').slice(-2);
    return visitSchemas(document.components[kind][name], found);
  }
  found.add(node);
  Object.values(node).forEach((inner) => visitSchemas(inner, found));
}

/** Deletes schemas that tsoa writes for TypeScript's own types (Omit, Pick). Throws if a schema that is in use has no own name. */
function dropUnused() {
  const used = new Set();
  operations().forEach((operation) => visitSchemas(operation, used));
  for (const [name, schema] of Object.entries(schemas)) {
    if (!used.has(schema)) delete schemas[name];
    else if (!/^[A-Za-z0-9]+$/.test(name)) throw new Error(`Declare ${name} as a named interface`);
  }
}
