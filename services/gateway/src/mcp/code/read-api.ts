import { type ApiTool, declarationsOf, pathOf } from '@drawbridge/code-mode';
import { cutText, invalid, makeNameVisible } from '@drawbridge/contracts';
import { type JsonObject } from '../protocol/message.js';
import { PART_CHARACTERS, type ToolResult } from '../results.js';
import { type CodeApi } from './code-api.js';
import { DEFAULT_FOUND, MAX_FOUND, MAX_NAME, MAX_NAMES, MAX_QUERY } from './code-tools.js';

/** Maximum number of aliases in the list that `svc_read_api` returns if the request names no action. */
const MAX_ALIASES = 500;
/** Maximum number of unknown names for which an error suggests other names. */
const MAX_SUGGESTED = 5;
const SUGGESTIONS = 3;

/** Searches for actions by words. Throws VALIDATION_ERROR. */
export async function searchApi(api: CodeApi, given: JsonObject): Promise<ToolResult> {
  const { query = '', limit } = requireSearch(given, { defaultLimit: DEFAULT_FOUND, isQueryRequired: true });
  const found = await api.search(query, limit);
  const actions = found.map(({ path, call, description, effect }) => ({ path, call, description, effect }));
  return toJsonResult({ actions, total: api.apiTools.length });
}

/** Returns the validated arguments of a search by words. Throws VALIDATION_ERROR. */
export function requireSearch(
  given: JsonObject,
  { defaultLimit, isQueryRequired }: { defaultLimit: number; isQueryRequired: boolean },
) {
  const { query, limit = defaultLimit, ...others } = given;
  const isQuery = isText(query, MAX_QUERY) || (query === undefined && !isQueryRequired);
  const problems = {
    ...unknownKeys(others, 'query, limit'),
    ...(!isQuery && { query: `must be a string of 1 to ${MAX_QUERY} characters` }),
    ...(!isLimit(limit) && { limit: `must be an integer from 1 to ${MAX_FOUND}` }),
  };
  if (!isQuery || !isLimit(limit) || Object.keys(problems).length > 0) throw invalid(problems);
  return { query, limit };
}

/** Returns the TypeScript declarations of the named actions. Without names, returns the list of aliases. Throws VALIDATION_ERROR. */
export async function readApi(api: CodeApi, given: JsonObject): Promise<ToolResult> {
  const { names, ...others } = given;
  const isWrong = names !== undefined && !areNames(names);
  const problems = {
    ...unknownKeys(others, 'names'),
    ...(isWrong && { names: `must be a list of 1 to ${MAX_NAMES} texts of 1 to ${MAX_NAME} characters` }),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  if (!areNames(names)) return toJsonResult(aliasesOf(api.apiTools));
  return { content: [{ type: 'text', text: cutDeclarations(await declarationsOf(await namedIn(api, names))) }] };
}

/** Returns the aliases of the integrations of a server, each with its number of actions. */
export function aliasesOf(tools: readonly ApiTool[]): JsonObject {
  const aliases = new Map<string, { alias: string; displayName: string; actions: number }>();
  for (const { alias, integrationDisplayName: displayName } of tools) {
    const known = aliases.get(alias);
    if (known) known.actions += 1;
    else aliases.set(alias, { alias, displayName, actions: 1 });
  }
  const shown = [...aliases.values()].slice(0, MAX_ALIASES);
  return { aliases: shown, ...(aliases.size > shown.length && { more: aliases.size - shown.length }) };
}

/** Returns the tools that match the names, each once, in the order of the API. */
async function namedIn(api: CodeApi, names: readonly string[]): Promise<ApiTool[]> {
  const known = new Set(api.apiTools.flatMap((tool) => [tool.alias, pathOf(tool)]));
  const wanted = new Set(names.map((name) => (known.has(name) ? name : withoutSvc(name))));
  const unknown = [...wanted].filter((name) => !known.has(name));
  if (unknown.length > 0) throw invalid({ names: await unknownText(api, unknown) });
  return api.apiTools.filter((tool) => wanted.has(tool.alias) || wanted.has(pathOf(tool)));
}

/** Converts `svc.gh.create_issue` and `svc["my-hash"].hash` to `gh.create_issue` and `my-hash.hash`, which have the same meaning. */
const withoutSvc = (name: string): string => name.replace(/\[["']([^"'\]]+)["']\]/g, '.$1').replace(/^svc\./, '');

async function unknownText(api: CodeApi, unknown: readonly string[]): Promise<string> {
  const saying = unknown.slice(0, MAX_SUGGESTED).map(async (name) => {
    const found = (await api.search(name.replace(/[._-]/g, ' '), SUGGESTIONS)).map(({ path }) => path);
    const unknown = `${makeNameVisible(name)} is unknown`;
    return found.length > 0 ? `${unknown}; the closest are ${found.join(', ')}` : unknown;
  });
  const said = await Promise.all(saying);
  const more = unknown.length > said.length ? [`and ${unknown.length - said.length} more`] : [];
  return [...said, ...more].join('; ');
}

function cutDeclarations(declarations: string): string {
  if (declarations.length <= PART_CHARACTERS) return declarations;
  const cut = cutText(declarations, PART_CHARACTERS);
  const whole = cut.slice(0, cut.lastIndexOf('\n') + 1);
  return `${whole}// Truncated: the declarations have ${declarations.length} characters, and ${PART_CHARACTERS} are the most. Name single actions (alias.action) instead of an alias.`;
}

export function toJsonResult(value: JsonObject): ToolResult {
  const json = JSON.stringify(value);
  return { content: [{ type: 'text', text: json }], structuredJson: json };
}

export function unknownKeys(others: JsonObject, known: string): Record<string, string> {
  return Object.fromEntries(Object.keys(others).map((key) => [key, `unknown key; the keys are ${known}`]));
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max;

const isLimit = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_FOUND;

const areNames = (names: unknown): names is string[] =>
  Array.isArray(names) &&
  names.length >= 1 &&
  names.length <= MAX_NAMES &&
  names.every((name) => isText(name, MAX_NAME));
