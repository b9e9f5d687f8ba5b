import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type AgentServer, type LEGACY, MODERN } from './agents.js';
import { type McpClients, type Place, runClient } from './mcp-clients.js';

/** The results of `tools/list` and of one `tools/call`, as a client displays them. */
export interface Seen {
  tools: string[];
  result: any;
}

/** The address of a server. Without a token, the client requests authorization from its user. */
export type Target = Pick<AgentServer, 'baseUrl' | 'path'> & { token?: string };

/** Runs a third-party client once, in a separate process. */
export type Use = (server: Target, tool: string, args: object, place?: Place) => Promise<Seen>;

const urlOf = ({ baseUrl, path }: Target): string => baseUrl + path;
const headerOf = ({ token }: Target): string[] => (token ? ['--header', `Authorization: Bearer ${token}`] : []);
const namesOf = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);

/** The protocol versions that a client can be configured to use. */
type Revision = typeof MODERN | typeof LEGACY;

export const pythonClient =
  ({ python }: McpClients, revision: Revision): Use =>
  async (server, tool, args, place) => {
    const script = join(import.meta.dirname, '../mcp-clients/client.py');
    const mode = revision === MODERN ? 'auto' : 'legacy';
    const its = [urlOf(server), server.token ?? '-', mode, tool, JSON.stringify(args)];
    const { revision: spoken, ...seen } = await run(python, [script, ...its], place);
    expect(spoken).toBe(revision);
    return seen;
  };

/** The MCP inspector. It also checks the schemas against the limits of language models. */
export const inspector =
  ({ node, bin }: McpClients): Use =>
  async (server, tool, args, place) => {
    const at = [bin('inspector'), '--cli', urlOf(server), '--transport', 'http', ...headerOf(server)];
    const how = [
      '--protocol-era',
      'modern',
      '--quiet',
      '--format',
      'json',
      '--callback-url',
      'http://127.0.0.1:0/callback',
    ];
    const ask = async (...method: string[]) => (await run(node, [...at, ...how, '--method', ...method], place)).result;
    const { tools } = await ask('tools/list', '--strict');
    const result = await ask('tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args));
    return { tools: namesOf(tools), result };
  };

/** The AI SDK, a framework for agents. Its client converts the tools to functions, which an agent calls. */
export const aiSdk =
  ({ node }: McpClients): Use =>
  async (server, tool, args, place) => {
    const script = join(import.meta.dirname, '../mcp-clients/ai-sdk.mjs');
    return run(node, [script, urlOf(server), server.token ?? '', tool, JSON.stringify(args)], place);
  };

/** mcp-remote, a stdio server for a local client. It uses the official TypeScript client. */
export const mcpRemote =
  ({ node, bin }: McpClients): Use =>
  async (server, tool, args, place) => {
    const its = [bin('mcp-remote'), urlOf(server), ...headerOf(server), '--allow-http'];
    const home = place?.home ?? mkdtempSync(join(tmpdir(), 'drawbridge-mcp-'));
    const env = { MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true', PATH: process.env['PATH'] ?? '' };
    const transport = new StdioClientTransport({ command: node, args: its, env, stderr: 'pipe' });
    transport.stderr?.on('data', (chunk: Buffer) => place?.hear?.(String(chunk)));
    const client = new Client({ name: 'test', version: '1' });
    try {
      await client.connect(transport);
      const { tools } = await client.listTools();
      const result = await client.callTool({ name: tool, arguments: args as Record<string, unknown> });
      return { tools: namesOf(tools), result };
    } finally {
      await client.close();
      if (!place) rmSync(home, { recursive: true });
    }
  };

async function run(command: string, args: readonly string[], place?: Place): Promise<any> {
  const { code, stdout, output } = await runClient(command, args, place);
  expect({ code, output: code !== 0 && output }).toEqual({ code: 0, output: false });
  return JSON.parse(stdout);
}
