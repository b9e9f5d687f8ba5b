import { createHash } from 'node:crypto';
import { cutText } from '@drawbridge/contracts';
import { type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { isObject, type JsonObject } from './protocol/message.js';

/** A model reads the whole list, so each description is limited. */
const MAX_DESCRIPTION = 2_000;
const MAX_TITLE = 200;

/** Returns a tool in the format of `tools/list`. */
export function toListedTool(name: string, offer: McpOffer, described: ToolDescription): JsonObject {
  const { integrationDisplayName, displayName, effect, adds, idempotent, reachesOutside } = described;
  const title = cutText(offer.displayName ?? `${integrationDisplayName}: ${displayName}`, MAX_TITLE);
  return {
    name,
    title,
    description: descriptionOf(offer, described),
    inputSchema: toInputSchema(described),
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: !adds,
      // Hints that equal MCP's defaults are omitted, because a model reads the whole list. A read is idempotent by definition.
      ...(idempotent && effect !== 'read' && { idempotentHint: true }),
      ...(!reachesOutside && { openWorldHint: false }),
    },
  };
}

/** Returns the description that an agent reads. */
export function descriptionOf(offer: McpOffer, { description }: ToolDescription): string {
  return cutText(offer.description ?? description, MAX_DESCRIPTION);
}

/**
 * Adds hints on how to look up the options of a property. The list contains no options, because they come from the provider, can be many, and depend
 * on the caller.
 */
function toInputSchema({ inputSchemaJson, optionProperties, dynamicProperties }: ToolDescription): JsonObject {
  const schema: JsonObject = JSON.parse(inputSchemaJson);
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const key of [...optionProperties, ...dynamicProperties]) addHint(properties, key);
  const { required, ...rest } = schema;
  for (const [key, property] of Object.entries(properties)) properties[key] = toListedSchema(property, key);
  return { ...rest, properties, ...(Array.isArray(required) && required.length > 0 && { required }) };
}

/**
 * Keywords that the list omits: limits that a model cannot count, and details that it does not need. A call is validated against all of them, and its
 * errors state them.
 */
const UNLISTED = new Set([
  ...['pattern', 'minLength', 'maxLength', 'maxItems', 'maxProperties', 'uniqueItems'],
  ...['contentEncoding', 'writeOnly'],
]);

/**
 * Returns a schema without the parts that models do not need, which are a third of the tokens of a list. A title is removed if there is a
 * description, or if it repeats the key.
 */
function toListedSchema(schema: unknown, key?: string): unknown {
  if (!isObject(schema)) return schema;
  const listed: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (UNLISTED.has(keyword) || (keyword === 'title' && isNeedless(schema, key))) continue;
    if (keyword === 'additionalProperties' && value === false) continue;
    listed[keyword] = keyword === 'properties' ? toListedProperties(value) : toListedPart(keyword, value);
  }
  return listed;
}

function toListedProperties(properties: unknown): unknown {
  if (!isObject(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, toListedSchema(one, key)]));
}

/** Keywords with a schema, or a list of schemas, as their value. The values of all other keywords stay unchanged. */
const NESTED = new Set(['items', 'additionalProperties', 'propertyNames', 'anyOf', 'oneOf', 'allOf']);

function toListedPart(keyword: string, value: unknown): unknown {
  if (!NESTED.has(keyword)) return value;
  return Array.isArray(value) ? value.map((one) => toListedSchema(one)) : toListedSchema(value);
}

function isNeedless({ title, description }: JsonObject, key = ''): boolean {
  const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return typeof description === 'string' || (typeof title === 'string' && letters(title) === letters(key));
}

function addHint(properties: JsonObject, key: string): void {
  const property = properties[key];
  if (!isObject(property)) return;
  const said = typeof property['description'] === 'string' ? `${property['description']} ` : '';
  properties[key] = { ...property, description: `${said}See ${OPTIONS}.` };
}

/** The name of the tool that continues the call of another tool. */
export const CONTINUE = 'svc_continue';
/** The name of the tool that lists the values for an argument. */
export const OPTIONS = 'svc_options';

const TOOL = { type: 'string', description: 'The name of the other tool.' };
const ARGUMENTS = { type: 'object', description: 'The arguments of the other tool, exactly as they were.' };

/** The tool that continues a call after an approval, or returns the next part of a long result. Servers of mode CODE do not have it. */
export const CONTINUE_TOOL: JsonObject = {
  name: CONTINUE,
  title: 'Continue a call',
  description:
    'Continues the call of another tool of this server, when its result said so: one that a person has approved meanwhile, or the next part of a long result. Send what the continuation of that result names.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: TOOL,
      arguments: ARGUMENTS,
      idempotencyKey: { type: 'string', minLength: 1, maxLength: 255, description: 'As the result named it.' },
      offset: { type: 'integer', minimum: 0, description: 'As the result named it.' },
    },
    required: ['tool', 'arguments'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

/** Servers have this tool if an argument has options that must be requested from the provider. */
export const OPTIONS_TOOL: JsonObject = {
  name: OPTIONS,
  title: 'Look up options',
  description:
    'Lists what can be sent for an argument of another tool of this server with a description that says "See svc_options": names with the values to send, or the keys of an object. Changes nothing.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: TOOL,
      argument: { type: 'string', description: 'The name of the argument.' },
      arguments: { type: 'object', description: 'The arguments that are known so far: options may depend on them.' },
      search: { type: 'string', maxLength: 200, description: 'Words to find among many options.' },
    },
    required: ['tool', 'argument'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
};

/** Maximum length of a name: the strictest clients accept `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX = 64;
const TAKEN = /^[a-zA-Z0-9_-]+$/;
const BETWEEN = '__';
const DIGEST = 10;

/**
 * Returns `<alias>__<action>`, the name of a tool: always the same for a pair, and different for any other pair. If the name is too long, contains
 * characters that clients reject, or could stand for another pair, it ends in a digest of the pair.
 */
export function toolName(alias: string, actionName: string): string {
  const plain = `${alias}${BETWEEN}${actionName}`;
  const isPlain = plain.length <= MAX && TAKEN.test(plain) && isReadInOneWay(alias, actionName);
  return isPlain ? plain : withDigest(plain, alias, actionName);
}

/** Returns whether the first two consecutive underscores must be the separator. */
function isReadInOneWay(alias: string, actionName: string): boolean {
  return !alias.includes(BETWEEN) && !alias.endsWith('_') && !actionName.startsWith('_');
}

function withDigest(plain: string, alias: string, actionName: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([alias, actionName]))
    .digest('hex')
    .slice(0, DIGEST);
  return `${plain.replace(/[^a-zA-Z0-9_-]/g, '-').slice(0, MAX - DIGEST - 1)}-${digest}`;
}
