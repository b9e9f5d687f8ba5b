// The catalog of the built-in integrations: the types of their inputs, and the schemas with which the server validates them.
import { build } from 'esbuild';
import { join } from 'node:path';
import { inputSchema } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';

/** Returns the texts of src/gen/catalog.ts and src/gen/schemas.ts. */
export async function writeSchemas() {
  const { writeCatalog } = await sourceOf('write-catalog.ts');
  const text = builtInSchemas();
  const module = `// Generated from packages/pieces.
import { type CatalogSchemas } from '../json-schema.js';

export const SCHEMAS: CatalogSchemas = JSON.parse(
  ${JSON.stringify(text)},
);
`;
  return { catalog: writeCatalog(JSON.parse(text)), schemas: module };
}

/** Returns the schemas of all built-in integrations, as JSON. */
export function builtInSchemas() {
  const schemas = Object.fromEntries(Object.entries(pieces).map(([name, piece]) => [name, toSchemas(piece)]));
  return JSON.stringify(schemas, (key, value) =>
    key === 'contentEncoding' || key === 'writeOnly' ? undefined : value,
  );
}

function toSchemas({ displayName, actions }) {
  const described = Object.entries(actions).map(([name, { description, props }]) => [
    name,
    { description, schema: inputSchema(props) },
  ]);
  return { displayName, actions: Object.fromEntries(described) };
}

/** Imports a module of src/, which is not compiled yet when the package is generated. */
async function sourceOf(name) {
  const entryPoints = [join(import.meta.dirname, '../src', name)];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm', platform: 'neutral' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}
