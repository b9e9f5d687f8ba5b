// Generates src/gen/ from the OpenAPI document of the gateway: its types (openapi-typescript), the methods of the client and the classes of errors.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { operationsOf, readDocument } from './document.mjs';
import { requireCompatible } from './surface.mjs';
import { writeErrors } from './write-errors.mjs';
import { writeResources } from './write-resources.mjs';
import { writeSchemas } from './write-schemas.mjs';
import { writeTable } from './write-table.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const TARGET = join(import.meta.dirname, '../src/gen');

const document = readDocument();
requireCompatible(document);
mkdirSync(TARGET, { recursive: true });

write('openapi.ts', astToString(await openapiTS(withoutRefusals(), { defaultNonNullable: false })));
write('models.ts', writeModels());
const operations = operationsOf(document);
write('resources.ts', writeResources(operations, document));
writeFileSync(join(import.meta.dirname, '../OPERATIONS.md'), writeTable(operations, document));
const { catalog, schemas } = await writeSchemas();
write('catalog.ts', catalog);
write('schemas.ts', schemas);
write('errors.ts', writeErrors(readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')));

/** Returns the document without error responses and their examples. They are four fifths of its types, and the error classes replace them. */
function withoutRefusals() {
  const { components, ...rest } = structuredClone(document);
  for (const operation of Object.values(rest.paths).flatMap((methods) => Object.values(methods))) {
    const success = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    operation.responses = Object.fromEntries(success);
  }
  return { ...rest, components: { schemas: components.schemas, securitySchemes: components.securitySchemes } };
}

/** Writes a type for each schema under its own name. The schema of error bodies is omitted, because programs receive an `ApiError` instead. */
function writeModels() {
  const names = Object.keys(document.components.schemas).filter((name) => name !== 'Error');
  const lines = names.map((name) => `export type ${name} = components['schemas']['${name}'];`);
  return [
    '// Generated from the OpenAPI document.',
    "import { type components } from './openapi.js';",
    '',
    ...lines,
    '',
  ].join('\n');
}

function write(name, text) {
  writeFileSync(join(TARGET, name), text);
}
