import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { mcpConfig, type McpSnippet, type McpTarget } from '../mcp-config.js';
import { writeWhole } from './settings.js';

type Json = Record<string, unknown>;

/** The programs to which a server can be added. */
export const PROGRAMS = ['claude', 'cursor', 'vscode'] as const;
export type Program = (typeof PROGRAMS)[number];

/** The configuration of a program in this folder. */
export interface ConfigFile {
  program: Program;
  path: string;
  /** The content before the server is added. */
  content: Json;
  indent: string | number;
  mode: number;
}

/** Throws if the file is not a JSON object with an object of servers, or if it has another server of the same name. */
export async function readConfig(program: Program, target: McpTarget): Promise<ConfigFile> {
  const { target: path } = snippetOf(program, target);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const content = requireObject(parsed(text, path), path);
  const { key } = entryOf(program, target);
  const servers = Object.hasOwn(content, key) ? requireObject(content[key], `${key} in ${path}`) : {};
  const present = Object.hasOwn(servers, target.name) ? servers[target.name] : undefined;
  if (present !== undefined && Object(present).url !== target.endpoint) {
    throw new Error(`${path} already has another server with the name ${target.name}. Pass another --name.`);
  }
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0o600,
  );
  return { program, path, content, indent: /\n([ \t]+)"/.exec(text)?.[1] ?? 2, mode };
}

/** Writes the file with the server, and everything else as it was. A file with a token is for this user alone. */
export async function writeConfig(file: ConfigFile, target: McpTarget): Promise<void> {
  const { path, indent, mode } = file;
  await mkdir(dirname(path), { recursive: true });
  const text = `${JSON.stringify(merged(file, target), null, indent)}\n`;
  await writeWhole(path, text, target.token ? mode & 0o600 : mode);
}

function merged({ program, content }: ConfigFile, target: McpTarget): Json {
  const { key, server } = entryOf(program, target);
  return { ...content, [key]: { ...(content[key] as Json | undefined), [target.name]: server } };
}

/**
 * Returns the snippet for a file. For Claude Code `mcpConfig` returns a command, but it also reads `.mcp.json`: https://code.claude.com/docs/en/mcp
 */
function snippetOf(program: Program, target: McpTarget): McpSnippet {
  return program === 'claude' ? { ...mcpConfig('json', target), target: '.mcp.json' } : mcpConfig(program, target);
}

/** Returns the one entry of the snippet: its key, and the server under its name. */
function entryOf(program: Program, target: McpTarget): { key: string; server: unknown } {
  const snippet = JSON.parse(snippetOf(program, target).text) as Record<string, Json>;
  const [[key, servers] = ['', {}]] = Object.entries(snippet);
  return { key, server: servers[target.name] };
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      `${path} is not JSON, for example because it has comments. Add the server by hand, or correct the file.`,
    );
  }
}

function requireObject(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Error(`${name} must be a JSON object`);
}
