import { readFieldData } from './field-data.mjs';

const FILE = 'field-descriptions.yaml';
const descriptions = readFieldData(FILE);

/** Display names of resources by path segment. A segment that is missing here is displayed without its final `s`. */
const RESOURCES = {
  'api-keys': 'API key',
  'approval-policies': 'approval policy',
  integrations: 'configured integration',
  'oauth-apps': 'OAuth app',
  'end-users': 'end user',
  'workspace-members': 'workspace member',
  servers: 'MCP server',
  triggers: 'trigger source',
};

/** Describes, in place, every field of a schema and every parameter that has no description yet. */
export function describeFields(document) {
  const missing = [];
  for (const [name, schema] of Object.entries(document.components.schemas)) describe(schema, name, missing);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) describeOperation(operation, path, missing);
  }
  if (missing.length > 0) throw new Error(`document/${FILE} lacks ${[...new Set(missing)].join(', ')}`);
}

function describeOperation(operation, path, missing) {
  for (const parameter of operation.parameters ?? []) {
    parameter.description ??= wordOfId(parameter, path) ?? descriptions.named(parameter.name);
    if (!parameter.description) missing.push(`${operation.operationId} ${parameter.name}`);
  }
  for (const response of Object.values(operation.responses)) {
    const schemas = Object.values(response.content ?? {}).map(({ schema }) => schema);
    for (const schema of schemas) describe(schema, operation.operationId, missing);
  }
}

function describe(schema, name, missing) {
  for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) describe(inner, name, missing);
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    property.description ??= descriptions.of(`${name}.${key}`) ?? descriptions.named(key);
    if (!property.description) missing.push(`${name}.${key}`);
    describe(property, `${name}.${key}`, missing);
    if (property.items) describe(property.items, `${name}.${key}`, missing);
  }
}

/** Converts `/api/v1/workspaces/{id}` to `The id of the workspace.` */
function wordOfId({ in: place, name }, path) {
  if (place !== 'path' || name !== 'id') return undefined;
  const segment = path.split('/{id}')[0].split('/').at(-1);
  return `The id of the ${RESOURCES[segment] ?? segment.replace(/s$/, '')}.`;
}
