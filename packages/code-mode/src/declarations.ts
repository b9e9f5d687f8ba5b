import { type JsonSchema } from '@drawbridge/piece-kit';
import { type ApiTool } from './api-tool.js';
import { inSlices } from './in-slices.js';
import { toComment, toKey, toLine, toMember } from './source-text.js';
import { ANY_JSON, FILE_INPUT, FILE_TYPE, type Member, NO_KEYS, toMembers } from './type-text.js';

const MAX_COMMENT = 300;
/** Maximum length of the signature of one call, in characters. */
const MAX_CALL = 300;
const MAX_MEMBER = 80;
const ANY_JSON_TYPE = `type ${ANY_JSON} = string | number | boolean | null | ${ANY_JSON}[] | { [key: string]: ${ANY_JSON} };`;

/**
 * Returns the TypeScript declarations of `svc` with these tools. They compile with `tsc --strict`, whatever the names and descriptions of the tools
 * contain. They omit keys that have a default value; a call may still set these keys.
 */
export async function declarationsOf(tools: readonly ApiTool[]): Promise<string> {
  const functions = await inSlices(tools, toFunction);
  const byAlias = new Map<string, Declared[]>();
  tools.forEach((tool, at) => {
    const declared = { tool, text: functions[at]! };
    const group = byAlias.get(tool.alias);
    if (group) group.push(declared);
    else byAlias.set(tool.alias, [declared]);
  });
  const aliases = [...byAlias].map(([alias, group]) => toNamespace(alias, group));
  const body = `declare const svc: {\n${aliases.join('')}};\n`;
  const file = body.includes(FILE_INPUT) ? `type ${FILE_INPUT} = ${FILE_TYPE};\n` : '';
  return `${ANY_JSON_TYPE}\n${file}${body}`;
}

interface Declared {
  tool: ApiTool;
  text: string;
}

function toNamespace(alias: string, declared: readonly Declared[]): string {
  const comment = toComment(declared[0]?.tool.integrationDisplayName ?? '', MAX_COMMENT);
  const functions = distinct(declared).map(({ text }) => text);
  return `${comment && `  ${comment}\n`}  ${toKey(alias)}: {\n${functions.join('')}  };\n`;
}

/** Returns one declaration per function name, because a second declaration of the same name would be an overload. */
function distinct(declared: readonly Declared[]): Declared[] {
  return [...new Map(declared.map((one) => [one.tool.actionName, one])).values()];
}

function toFunction(tool: ApiTool): string {
  const comment = toComment(tool.description || tool.displayName, MAX_COMMENT);
  const schema = withoutDefaulted(tool);
  const members = toMembers(schema, { hasComments: true });
  const lines = members.map(({ text }) => `      ${text};\n`).join('');
  const input = members.length === 0 ? `input?: ${NO_KEYS}` : `${toParameter(members)}: {\n${lines}    }`;
  return `${comment && `    ${comment}\n`}    ${toKey(tool.actionName)}(${input}): Promise<${ANY_JSON}>;\n`;
}

function toParameter(members: readonly Member[]): string {
  return members.every(({ isOptional }) => isOptional) ? 'input?' : 'input';
}

function withoutDefaulted({ inputSchema, defaultedKeys }: ApiTool): JsonSchema {
  const defaulted = new Set(defaultedKeys);
  const { properties = {}, required = [] } = inputSchema;
  return {
    ...inputSchema,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !defaulted.has(key))),
    required: required.filter((key) => !defaulted.has(key)),
  };
}

/**
 * Returns the signature of a call on one line: `svc.slack.send_message({channel: string, text: string, thread_ts?: string})`. It has at most 300
 * characters. Keys that do not fit are replaced by `…`, optional keys first.
 */
export function callOf(tool: ApiTool): string {
  const start = `svc${toMember(tool.alias)}${toMember(tool.actionName)}(`;
  const members = toMembers(withoutDefaulted(tool), { hasComments: false });
  if (members.length === 0) return toLine(`${start})`, MAX_CALL);
  const needed = members.filter(({ isOptional }) => !isOptional);
  const optional = members.filter(({ isOptional }) => isOptional);
  const shown: string[] = [];
  let left = MAX_CALL - start.length - '{, …})'.length;
  for (const { bare } of [...needed, ...optional]) {
    const text = bare.length > MAX_MEMBER ? shorten(bare) : bare;
    if (text.length + 2 > left) continue;
    shown.push(text);
    left -= text.length + 2;
  }
  const rest = shown.length < members.length ? ['…'] : [];
  return toLine(`${start}{${[...shown, ...rest].join(', ')}})`, MAX_CALL);
}

/** Replaces a type that is too long by `…`, and retains its key. */
function shorten(member: string): string {
  const end = member.startsWith('"') ? member.indexOf('": ') + 1 : member.indexOf(': ');
  return end > 0 && end < MAX_MEMBER ? `${member.slice(0, end)}: …` : '…';
}
