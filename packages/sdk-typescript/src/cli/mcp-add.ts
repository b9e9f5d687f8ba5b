import { spawn } from 'node:child_process';
import { type Drawbridge } from '../client.js';
import { type McpServer } from '../gen/models.js';
import { claudeArguments, mcpConfig, type McpTarget } from '../mcp-config.js';
import { type Call, type Command, UsageError } from './command.js';
import { type Flags, requireFlag, valueOf } from './flags.js';
import { type Program, PROGRAMS, readConfig, writeConfig } from './mcp-files.js';
import { type Output } from './output.js';
import { suggestion } from './suggest.js';

export const mcpAdd: Command = {
  name: 'mcp add',
  usage: 'claude|cursor|vscode --server ID',
  summary: 'Add an MCP server to Claude Code, Cursor or VS Code',
  flags: [
    { name: 'server', value: 'ID', text: 'The id of the MCP server.' },
    { name: 'name', value: 'NAME', text: 'The name that the program shows. Defaults to that of the server.' },
    {
      name: 'end-user',
      value: 'ID',
      text: 'Issue a token that runs calls for this end user. Without it the program signs in by OAuth.',
    },
  ],
  notes: [
    'For Cursor and VS Code the entry is merged into .cursor/mcp.json or .vscode/mcp.json of this folder.',
    'For Claude Code `claude mcp add` is run, or printed if it is not installed. With a token the entry is merged into .mcp.json of this folder,',
    'because other users of the machine can read the arguments of commands. Claude Code asks once whether it may use that entry.',
  ],
  async run(call: Call) {
    const { args, flags, output, signal } = call;
    const program = requireProgram(args);
    const id = requireFlag(flags, 'server', 'pass the id of an MCP server');
    const client = await call.client();
    const { server } = await client.mcpServers.get(id, { signal });
    const endUserId = requireEndUser(server, flags);
    const target = { name: nameOf(server, flags), endpoint: requireHttp(server.mcpEndpoint) };
    if (program === 'claude' && endUserId === undefined) return addToClaude(target, output);
    // The file is read before a token is issued, because `readConfig` throws for a file into which the server cannot be merged.
    const file = await readConfig(program, target);
    if (endUserId === undefined) await writeConfig(file, target);
    else await withToken(call, client, { id, endUserId }, (token) => writeConfig(file, { ...target, token }));
    const advice = endUserId === undefined ? '' : ' The file has a token, so only you can read it. Do not commit it.';
    output.note(`Added ${target.name} to ${file.path}.${advice}`);
    if (output.isJson) output.print({ program, name: target.name, file: file.path }, '');
  },
};

function requireProgram([given, more]: readonly string[]): Program {
  const program = PROGRAMS.find((one) => one === given);
  if (program && more === undefined) return program;
  const got = given === undefined ? '' : ` (got ${given}).${suggestion(given, PROGRAMS)}`;
  throw new UsageError(`Name one program: ${PROGRAMS.join(', ')}${got}`);
}

/** Returns the id of the end user of the new token; undefined if the program signs in by OAuth. Throws UsageError if neither is possible. */
function requireEndUser({ authMode, endUserId, name }: McpServer, flags: Flags): string | undefined {
  const given = valueOf(flags, 'end-user');
  if (authMode === 'oauth') {
    if (given === undefined) return undefined;
    throw new UsageError(`The server ${name} accepts no tokens: leave out --end-user, and sign in by OAuth`);
  }
  if (given !== undefined) return given;
  if (authMode === 'oauth_and_bearer') return undefined;
  if (endUserId !== null) return endUserId;
  throw new UsageError(`--end-user is missing: the server ${name} needs a token, which runs calls for one end user`);
}

/** Returns the name of the server in the program, which may contain only letters, digits, dashes and underscores. */
function nameOf({ name }: McpServer, flags: Flags): string {
  const given = valueOf(flags, 'name');
  if (given !== undefined && !/^\w[\w-]{0,63}$/.test(given)) {
    throw new UsageError(`--name must be letters, digits, dashes and underscores (got ${given})`);
  }
  const own = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');
  return given ?? (own || 'drawbridge');
}

function requireHttp(endpoint: string): string {
  if (/^https?:\/\//.test(endpoint)) return endpoint;
  throw new Error(`The endpoint of the server is not an http address: ${endpoint}`);
}

/** Issues a token and stores it. Revokes it if it cannot be stored: no other response contains it. */
async function withToken(
  { signal, output }: Call,
  client: Drawbridge,
  { id, endUserId }: { id: string; endUserId: string },
  store: (token: string) => Promise<void>,
): Promise<void> {
  // The signal is not passed, because the server may issue the token although the request was aborted, and without its id nothing could revoke it.
  const { accessToken, token } = await client.mcpServers.issueAccessToken(id, { endUserId });
  try {
    signal.throwIfAborted();
    await store(accessToken);
  } catch (error) {
    await client.mcpServers
      .revokeToken(id, token.id)
      .catch((failure: Error) => output.error(`The issued token ${token.id} is still valid: ${failure.message}`));
    throw error;
  }
}

/** Runs `claude mcp add`. Its arguments contain no token, because other users of the machine can read them: the person signs in by OAuth. */
async function addToClaude(target: McpTarget, output: Output): Promise<void> {
  const code = await exitCodeOf('claude', claudeArguments(target));
  const { text } = mcpConfig('claude-code', target);
  if (code === undefined) {
    output.note('Claude Code is not installed here. Run this where it is:');
    return output.print({ program: 'claude', name: target.name, command: text }, text);
  }
  if (code !== 0) throw new Error(`claude mcp add ended with exit code ${code}`);
  output.note(`Added ${target.name} to Claude Code.`);
  if (output.isJson) output.print({ program: 'claude', name: target.name }, '');
}

/** Returns undefined if the program is not installed. Its output goes to stderr, because stdout has the result. */
function exitCodeOf(program: string, args: readonly string[]): Promise<number | undefined> {
  const child = spawn(program, args, { stdio: ['ignore', process.stderr, process.stderr] });
  return new Promise((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(undefined) : reject(error)));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
