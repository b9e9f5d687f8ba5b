import { cutText } from '@drawbridge/contracts';
import { type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { OPTIONS } from './own-tools.js';
import { isObject, type JsonObject } from './protocol/message.js';

/** A model reads the whole list, so each description is limited. */
const MAX_DESCRIPTION = 2_000;
const MAX_TITLE = 200;

/** Returns a tool in the format of `tools/list`. */
export function toListedTool(name: string, offer: McpOffer, described: ToolDescription): JsonObject {
  const { integrationDisplayName, displayName, description, effect, adds, idempotent, reachesOutside } = described;
  const title = cutText(offer.displayName ?? `${integrationDisplayName}: ${displayName}`, MAX_TITLE);
  return {
    name,
    title,
    description: cutText(offer.description ?? description, MAX_DESCRIPTION),
    inputSchema: toInputSchema(described),
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      destructiveHint: !adds,
      idempotentHint: idempotent,
      openWorldHint: reachesOutside,
    },
  };
}

/**
 * Adds hints on how to look up the options of a property. The list has no options: they come from the provider, are many, and depend on the caller.
 */
function toInputSchema({ inputSchemaJson, optionProperties, dynamicProperties }: ToolDescription): JsonObject {
  const schema: JsonObject = JSON.parse(inputSchemaJson);
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const key of optionProperties) addHint(properties, key, `${OPTIONS} lists its values.`);
  for (const key of dynamicProperties) addHint(properties, key, `${OPTIONS} lists its keys.`);
  const { required, ...rest } = schema;
  return { ...rest, properties, ...(Array.isArray(required) && required.length > 0 && { required }) };
}

function addHint(properties: JsonObject, key: string, hint: string): void {
  const property = properties[key];
  if (!isObject(property)) return;
  const said = typeof property['description'] === 'string' ? `${property['description']} ` : '';
  properties[key] = { ...property, description: `${said}${hint}` };
}
