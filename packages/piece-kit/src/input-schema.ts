import type { JsonSchema } from './json.js';
import type { Property, Props } from './property.js';

/** The JSON Schema of an action's whole input: unknown keys are refused, titles and descriptions ride along for forms and agents. */
export function inputSchema(props: Props): JsonSchema {
  const entries = Object.entries(props);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([key, property]) => [key, toSchema(property)])),
    required: entries.filter(([, property]) => property.required).map(([key]) => key),
    additionalProperties: false,
  };
}

function toSchema({ displayName, description, schema }: Property): JsonSchema {
  return { title: displayName, ...(description && { description }), ...schema };
}
