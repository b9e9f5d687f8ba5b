import { invalid, makeNameVisible } from '@drawbridge/contracts';
import { pathOf } from '@drawbridge/code-mode';
import { codeApiOf } from './code/code-api.js';
import { CHANGES, MAX_FOUND, MAX_NAME, MAX_QUERY, READS, SEARCH } from './code/code-tools.js';
import { aliasesOf, requireSearch, toJsonResult, unknownKeys } from './code/read-api.js';
import { toListedTool } from './listed-tool.js';
import { isObject, type JsonObject } from './protocol/message.js';
import { PART_CHARACTERS, type ToolResult } from './results.js';
import { type OfferedTool, type Surface } from './tool-list.js';

/** The name of the tool that calls a tool that `svc_search` found. */
export const CALL = 'svc_call';

/** Lower than the default of Code Mode, because each result contains an input schema, which uses much of the context of a model. */
const DEFAULT_FOUND = 5;

const SEARCH_TOOL: JsonObject = {
  name: SEARCH,
  title: 'Find tools',
  description:
    'Finds tools of this server by words for what you want to do, such as "create issue". Returns the name, the description and the input schema of each. Without a query it lists the integrations. Changes nothing.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1, maxLength: MAX_QUERY, description: 'What the tool does, in words.' },
      limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND, default: DEFAULT_FOUND },
    },
    additionalProperties: false,
  },
  annotations: { title: 'Find tools', ...READS },
};

const CALL_TOOL: JsonObject = {
  name: CALL,
  title: 'Call a tool',
  description: 'Calls a tool that svc_search found, and returns its result. The arguments must match its input schema.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'The name of the tool, as svc_search returned it.' },
      arguments: { type: 'object', description: 'The arguments of the tool.' },
    },
    required: ['tool', 'arguments'],
    additionalProperties: false,
  },
  annotations: { title: 'Call a tool', ...CHANGES },
};

/** The tools that a server with `settings.tools.discovery: "search"` lists instead of the actions that it offers. */
export const SEARCH_TOOLS: readonly JsonObject[] = [SEARCH_TOOL, CALL_TOOL];

/** Returns whether agents find the tools of a server with `svc_search`. */
export const isSearched = ({ mode, toolDiscovery }: { mode: string; toolDiscovery: string }): boolean =>
  mode !== 'CODE' && toolDiscovery === 'search';

/** Searches for tools by words, or lists the integrations. Throws VALIDATION_ERROR. */
export async function findTools(surface: Pick<Surface, 'tools'>, given: JsonObject): Promise<ToolResult> {
  const { query, limit } = requireSearch(given, { defaultLimit: DEFAULT_FOUND, isQueryRequired: false });
  const api = await codeApiOf(surface);
  if (query === undefined) return toJsonResult(aliasesOf(api.apiTools));
  const found = await api.search(query, limit);
  const byPath = new Map([...surface.tools.values()].map((tool) => [pathOf(toPathParts(tool)), tool]));
  const tools = found.flatMap(({ path }) => byPath.get(path) ?? []);
  return toJsonResult({ tools: fitting(tools), total: surface.tools.size });
}

const toPathParts = ({ offer }: OfferedTool) => ({ alias: offer.integrationAlias, actionName: offer.actionName });

/** Returns the best matching tools that fit into one result, in the format of `tools/list`. A tool that is too large by itself has no schema. */
function fitting(tools: readonly OfferedTool[]): JsonObject[] {
  const listed: JsonObject[] = [];
  let characters = 0;
  for (const { name, offer, described } of tools) {
    const { inputSchema, ...tool } = toListedTool(name, offer, described);
    const isTooLarge = described.inputSchemaJson.length > PART_CHARACTERS / 2;
    const shown = isTooLarge ? tool : { ...tool, inputSchema };
    characters += JSON.stringify(shown).length;
    if (characters > PART_CHARACTERS) break;
    listed.push(shown);
  }
  return listed;
}

/** Returns the tool and the arguments of a `svc_call`. Throws VALIDATION_ERROR. */
export function toCalled({ tools }: Pick<Surface, 'tools'>, given: JsonObject): [OfferedTool, JsonObject] {
  const { tool: name, arguments: args = {}, ...others } = given;
  const tool = typeof name === 'string' ? tools.get(name) : undefined;
  const shown =
    typeof name === 'string' ? `${makeNameVisible(name.slice(0, MAX_NAME))} is unknown` : 'must be the name of a tool';
  const problems = {
    ...unknownKeys(others, 'tool, arguments'),
    ...(!tool && { tool: `${shown}. Find tools with ${SEARCH}` }),
    ...(!isObject(args) && { arguments: 'must be an object' }),
  };
  if (!tool || !isObject(args) || Object.keys(problems).length > 0) throw invalid(problems);
  return [tool, args];
}
