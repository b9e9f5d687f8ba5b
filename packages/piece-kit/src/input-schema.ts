import type { JsonSchema } from './json.js';
import type { Property, Props } from './property.js';

/** Returns the JSON Schema of an action's input. It rejects unknown keys, and has titles and descriptions for forms and agents. */
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
