import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { MCP_TOKEN, newId, newToken } from '@drawbridge/contracts';
import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { caller } from '@drawbridge/rpc';
import express from 'express';
import { RateLimits } from '../admission/rate-limits.js';
import { Refusals, Slots } from '../admission/request-slots.js';
import { requestContext } from '../http/request-context.js';
import { siteOf } from '../http/site.js';
import { mcpDoor } from './door.js';

const { jest } = import.meta;

/** A look-up as the mcp service returns it: the mode of the server, and the scopes of the token in this mode. */
type Found = [mode: 'TOOLS' | 'CODE', ...scopes: string[]];

const APPROVAL = { approvalId: `apr_${newId()}` };
const [TOOLS, CODE] = ['mcp:tools', 'mcp:code'];

const completed: CodeRunResult['result'] = { $case: 'completed', value: { valueJson: '1' } };
const ready: CodeRunResult['result'] = { $case: 'ready', value: {} };

let server: Server | undefined;

afterEach(() => {
  jest.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
});

/** Runs `svc_execute` at a fake mcp service with one result per look-up. A long time passes after each look-up. */
async function execute(lookUps: Found[], given: object, results: CodeRunResult['result'][] = [completed]) {
  const sources: (string | undefined)[] = [];
  let late = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + late);
  const resolveMcpAccess = async ({ serverId }: { serverId: string }) => {
    const [mode, ...scopes] = lookUps.shift()!;
    late += 1_000;
    const door = { serverId, orgId: 'org', userId: 'user', workspaceId: 'w', mode, approvalWaitSeconds: 0 };
    return { door, bearer: { id: 'token', scopes }, tag: 'tag', isUnchanged: false, offers: [] };
  };
  const run = async () => {
    sources.push(caller().source);
    return { codeRunId: 'r', console: [], calls: [], result: results.shift() };
  };
  const clients = {
    mcpAccess: { resolveMcpAccess },
    organizations: { getLimits: async () => ({ plan: 'free', planVersion: 1 }) },
    mcpOAuth: { getAuthorization: async () => ({ scopes: [TOOLS, CODE] }) },
    codeRuns: { executeCode: run, continueCode: run },
  };
  const { status, headers, body } = await post(clients, { name: 'svc_execute', arguments: given });
  return { status, challenge: headers.get('www-authenticate'), body, sources };
}

async function post(clients: object, params: object) {
  const slots = new Slots();
  const app = express();
  app.locals['slots'] = slots;
  const log = { info: () => undefined, debug: () => undefined, error: () => undefined, warn: () => undefined };
  app.use(requestContext(log as never, new AbortController().signal));
  const surfaceOf = async () => ({ tools: new Map(), pages: [], tag: '', knownTag: '' });
  const parts = { limits: new RateLimits(Infinity, new Refusals()), site: siteOf(''), version: '1' };
  const draining = new AbortController().signal;
  app.use(mcpDoor({ ...parts, clients: clients as never, surfaceOf, slots, draining }));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp/srv_${newId()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${newToken(MCP_TOKEN)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as any };
}

describe('a request to a server that changes to the mode CODE during the wait', () => {
  it('is refused if its token lacks the scope', async () => {
    const { status, challenge, body, sources } = await execute(
      [
        ['TOOLS', TOOLS],
        ['CODE', TOOLS],
      ],
      { code: 'return 1' },
    );
    expect({ status, error: body.error.data.code }).toEqual({ status: 403, error: 'FORBIDDEN' });
    expect(challenge).toContain('error="insufficient_scope"');
    expect(sources).toEqual([]);
  });

  it('runs its program as a caller of Code Mode if its token has the scope', async () => {
    const { status, sources } = await execute(
      [
        ['TOOLS', TOOLS],
        ['CODE', TOOLS, CODE],
      ],
      { code: 'return 1' },
    );
    expect({ status, sources }).toEqual({ status: 200, sources: ['mcp_code'] });
  });
});

it('a request is refused if its server changes to the mode TOOLS while it waits', async () => {
  const { status, sources } = await execute([['CODE', CODE], ['TOOLS']], { code: 'return 1' });
  expect({ status, sources }).toEqual({ status: 403, sources: [] });
});

it('a stored run does not continue after its token has lost the scope', async () => {
  const before: Found = ['CODE', TOOLS, CODE];
  const { body, sources } = await execute([before, before, ['CODE', TOOLS]], APPROVAL, [ready, completed]);
  expect(body.result).toMatchObject({ isError: true, structuredContent: { code: 'FORBIDDEN' } });
  expect(sources).toEqual(['mcp_code']);
});
