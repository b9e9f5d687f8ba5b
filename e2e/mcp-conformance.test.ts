// Shapes: none; in full: local
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentServer, LEGACY, MODERN } from './support/agents.js';
import { drawbridge } from './support/drawbridge.js';
import { describeMcpClients, type McpClients, runClient } from './support/mcp-clients.js';
import { type WithToken, withToken } from './support/with-token.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

/** Expected failures by protocol version and reason, each as `scenario:check`. The suite also fails if a listed check passes. */
type Expected = Record<string, Record<string, string[]>>;

const EXPECTED: Expected = JSON.parse(
  readFileSync(join(import.meta.dirname, 'mcp-clients/expected-failures.json'), 'utf8'),
);

describeMcpClients('the official conformance suite', ({ node, bin }: McpClients) => {
  let server: WithToken;
  let folder: string;

  beforeAll(async () => {
    const { api } = await drawbridge();
    const workspaceId = await newWorkspace(api);
    await newIntegration(api, workspaceId, { alias: 'hash' });
    server = await withToken(await agentServer(api, workspaceId));
    folder = mkdtempSync(join(tmpdir(), 'drawbridge-conformance-'));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([LEGACY, MODERN])('passes for %s, except for the listed failures', async (revision) => {
    const expected = join(folder, `${revision}.json`);
    writeFileSync(expected, JSON.stringify({ server: Object.values(EXPECTED[revision] ?? {}).flat() })); // JSON is YAML
    const of = ['--url', server.url, '--requirements', revision, '--expected-failures', expected];
    const { code, output } = await runClient(node, [bin('conformance'), 'server', ...of]);
    expect({ code, output: code !== 0 && output }).toEqual({ code: 0, output: false });
  });
});
