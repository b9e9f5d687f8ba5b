import { type Drawbridge } from './client.js';
import { type Property } from './gen/models.js';
import { type CatalogSchemas, type JsonSchema } from './json-schema.js';
import { writeCatalog } from './write-catalog.js';

export { type CatalogSchemas } from './json-schema.js';

export interface GenerateOptions {
  /** The names of the integrations to include. Defaults to all, including those that the operator of the instance added. */
  integrations?: readonly string[];
}

/**
 * Returns the text of a TypeScript module with the types of the actions of an instance. Write it to a file, and pass its type `Catalog` to the
 * client:
 * `new Drawbridge<Catalog>(…)`. Rejects with TypeError if the instance does not have one of the integrations.
 */
export async function generate(client: CatalogClient, options?: GenerateOptions): Promise<string> {
  return writeCatalog(await readCatalog(client, options));
}

type CatalogClient = Pick<Drawbridge, 'integrations'>;

/** Returns the schemas of the actions of an instance, for `validateInput`. Rejects with TypeError if it does not have one of the integrations. */
export async function readCatalog(
  { integrations }: CatalogClient,
  options: GenerateOptions = {},
): Promise<CatalogSchemas> {
  const wanted = options.integrations;
  const { integrations: all } = await integrations.list();
  const missing = wanted?.filter((name) => !all.some((one) => one.name === name)) ?? [];
  if (missing.length > 0) throw new TypeError(`The instance has no integration ${missing.join(', ')}`);
  const chosen = all.filter(({ name }) => !wanted || wanted.includes(name));
  return Object.fromEntries(
    chosen.map(({ name, displayName, actions }) => {
      const described = Object.entries(actions).map(([action, { description, props }]) => [
        action,
        { description, schema: inputSchema(props) },
      ]);
      return [name, { displayName, actions: Object.fromEntries(described) }];
    }),
  );
}

/** Returns the JSON schema of an input. `props` are the properties of its form in the catalog of the API. */
export function inputSchema(props: Record<string, Property>): JsonSchema {
  const entries = Object.entries(props);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, property]) => [name, propertySchema(property)])),
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  };
}

function propertySchema({ type, displayName, description, options }: Property): JsonSchema {
  return { title: displayName, ...(description && { description }), ...valueSchema(type, options) };
}

function valueSchema(type: string, options: Property['options']): JsonSchema {
  const values = options.map(({ value }) => value as string | number | boolean);
  switch (type) {
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
    case 'SECRET_TEXT':
    case 'DATE_TIME':
    case 'DROPDOWN':
      return { type: 'string' };
    case 'NUMBER':
      return { type: 'number' };
    case 'CHECKBOX':
      return { type: 'boolean' };
    case 'STATIC_DROPDOWN':
      return { enum: values };
    case 'STATIC_MULTI_SELECT':
      return { type: 'array', items: { enum: values }, uniqueItems: true };
    case 'MULTI_SELECT':
      return { type: 'array', items: { type: 'string' }, uniqueItems: true };
    case 'DYNAMIC':
      return { type: 'object' };
    case 'FILE':
      return FILE;
    default:
      return {};
  }
}

const FILE: JsonSchema = {
  type: 'object',
  properties: { filename: { type: 'string' }, mimeType: { type: 'string' }, base64: { type: 'string' } },
  required: ['filename', 'mimeType', 'base64'],
  additionalProperties: false,
};
