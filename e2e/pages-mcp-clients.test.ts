// Shapes: none; in full: local
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MODERN } from './support/agents.js';
import { apiWith } from './support/api.js';
import { decide, newPolicy } from './support/approvals.js';
import { type ConsentingPerson, consentingPerson } from './support/consenting-person.js';
import { rowsOf } from './support/database.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';
import { describeMcpClients, type Place } from './support/mcp-clients.js';
import { newServer } from './support/mcp-servers.js';
import { inspector, mcpRemote, pythonClient, type Target, type Use } from './support/official-clients.js';
import { typescriptClient } from './support/typescript-client.js';
import { type Visitor, visitor } from './support/visitor.js';
import { newPerson } from './support/web-users.js';

const ISSUE = { repo: 'acme/app', title: 'Broken' };
const HASH = { text: 'x', algorithm: 'sha256' };

describeMcpClients('a third-party MCP client with OAuth', (clients) => {
  let at: GithubAgent;
  let server: Target & { serverId: string };
  let browser: Visitor;
  let person: ConsentingPerson;
  let endUserId: string;
  let home: string;

  beforeAll(async () => {
    [at, browser] = await Promise.all([githubAgent(), visitor()]);
    const { workspaceId } = at.own;
    await newPolicy(at.api, { workspaceId, actionNames: ['create_issue'] });
    expect((await at.api.post('/api/v1/actions/execute', at.own.createIssue)).status).toBe(202);
    const { server: made, mcpEndpoint } = await newServer(at.api, workspaceId);
    server = { serverId: made.id, baseUrl: at.product.baseUrl, path: new URL(mcpEndpoint).pathname };
  });
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'drawbridge-mcp-'));
    const user = await newPerson(at.product.databaseUrl);
    endUserId = user.id;
    const { workspaceId } = at.own;
    await at.api.post('/api/v1/end-users', { workspaceId, externalId: endUserId, email: user.email });
    person = consentingPerson(browser, user);
  });
  afterEach(() => {
    at.github.reset();
    rmSync(home, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await at?.github.stop();
  });

  /** Makes the access tokens expire now instead of after an hour. Drawbridge caches look-ups of tokens, so it can accept them for up to a second. */
  const endTokens = async () => {
    const expire = "UPDATE mcp.tokens SET expires_at = now() - interval '1 s' WHERE server_id = $1";
    await rowsOf(at.product.databaseUrl, expire, [server.serverId]);
    await sleep(1_000);
  };

  const revoke = (grant: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const text = new URLSearchParams(grant).toString();
    return apiWith(server.baseUrl, {}).send('POST', '/oauth/revoke', { text, headers });
  };

  /** Returns the authorizations, with the number of used refresh tokens. */
  const allowed = () =>
    rowsOf<{ refreshes: number }>(
      at.product.databaseUrl,
      `SELECT count(r.used_at)::int AS refreshes FROM mcp.oauth_grants g JOIN mcp.oauth_refresh_tokens r ON r.grant_id = g.id
        WHERE g.server_id = $1 AND g.end_user_id = $2 GROUP BY g.id`,
      [server.serverId, endUserId],
    );

  it.each<[string, Use, { name: string; staysOn?: boolean }]>([
    ['the TypeScript client', typescriptClient, { name: 'TypeScript' }],
    // After a restart this client has no expiry time of its token, and requests consent again. Therefore the token expires while the client runs.
    ['the Python client', pythonClient(clients, MODERN), { name: 'Python', staysOn: true }],
    ['the inspector', inspector(clients), { name: 'MCP Inspector' }],
    ['mcp-remote', mcpRemote(clients), { name: 'MCP CLI Proxy' }],
  ])(
    'registers, is authorized in a browser, calls, refreshes, and authorizes again after a revocation: %s',
    async (_, use, { name, staysOn }) => {
      const place: Place = {
        home,
        hear(text, answer) {
          person.hear(text);
          if (text.includes('An hour goes by')) void endTokens().then(answer);
        },
      };
      const waits = await use(server, 'gh__create_issue', ISSUE, place);
      expect(person.read).toEqual([expect.stringContaining(name)]);
      expect(waits.tools).toContain('gh__create_issue');
      const { approval, continuation } = waits.result.structuredContent;
      await decide(at.api, approval.id, 'approve');
      at.github.on('*', { status: 201, body: { number: 9 } });
      const { result } = await use(server, continuation.tool, continuation.arguments, place);
      expect(result).toMatchObject({ structuredContent: { number: 9 } });

      if (!staysOn) await endTokens();
      const before = kept(home, 'refresh_token');
      expect((await use(server, 'hash__hash', HASH, place)).result.isError).toBeFalsy();
      expect(person.asked).toBe(1);
      if (!staysOn) expect(kept(home, 'refresh_token')).not.toBe(before);
      expect(await allowed()).toEqual([{ refreshes: 1 }]);

      const grant = { token: kept(home, 'refresh_token'), client_id: kept(home, 'client_id') };
      expect((await revoke(grant)).status).toBe(200);
      expect((await use(server, 'hash__hash', HASH, place)).result.isError).toBeFalsy();
      expect(person.read).toHaveLength(2);
    },
  );
});

/** Returns the value of a key in any file that a client stored. One client stores JSON within JSON strings. */
function kept(home: string, name: string): string {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const texts = files.map(({ parentPath, name: file }) => readFileSync(join(parentPath, file), 'utf8'));
  const found = texts.flatMap((text) => new RegExp(`${name}\\\\?"\\s*:\\s*\\\\?"([^"\\\\]+)`).exec(text)?.[1] ?? []);
  if (found[0] === undefined) throw new Error(`No ${name} in ${files.map(({ name: file }) => file).join(', ')}`);
  return found[0];
}
