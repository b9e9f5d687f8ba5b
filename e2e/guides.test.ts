// Shapes: none; in full: local
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { ERROR_STATUS, type ErrorCode } from '@drawbridge/contracts';
import { fakeProvider, freePort, type Product } from '@drawbridge/testkit';
import { officialClient } from './support/agents.js';
import { apiOf } from './support/api.js';
import { blocksOf, filesOf, readGuide, runGuide } from './support/guides.js';
import { describeMcpClients } from './support/mcp-clients.js';
import { ownProduct } from './support/own-product.js';

const GUIDES = readdirSync(join(import.meta.dirname, '../docs')).flatMap((name) => name.match(/^(.+)\.md$/)?.[1] ?? []);

let product: Product;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  product = await ownProduct({ env: { EGRESS_ALLOW: '127.0.0.1' } });
  env = { ...process.env, BASE_URL: product.baseUrl, DRAWBRIDGE_KEY: product.key };
});
afterAll(() => product?.stop());

describe('docs/triggers.md', () => {
  it.each(['node receiver.ts', 'python3 receiver.py'])(
    'delivers an event to `%s`, which verifies it',
    async (start) => {
      const port = String(await freePort());
      const isListening = `until curl -s -o got http://127.0.0.1:${port}; do sleep 0.1; done`;
      const output = await runGuide('triggers', env, {
        '4000': port,
        'node receiver.ts & ': `${start} > printed & ${isListening} `,
        'sleep 1': 'until grep received printed; do sleep 0.1; done',
      });
      expect(output).toMatch(/\nreceived \{"order": ?1347\}\n/);
      expect(output).toContain('"status":"success","httpStatus":204');
    },
  );

  it('verifies signatures with the functions of docs/webhooks.md', () => {
    const bodies = (name: string): string[] =>
      ['function isGenuine', 'def is_genuine'].map((begin) => {
        const [, from = ''] = readGuide(name).split(begin);
        return from.split(/\n(?:\}|\n|```)/)[0]!;
      });
    expect(bodies('triggers')).toEqual(bodies('webhooks'));
    expect(bodies('webhooks').map((body) => body.length > 200)).toEqual([true, true]);
  });
});

describe('docs/webhooks.md', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const BODY = '{"text":"Grüße"}';
  const sign = (secret: string, { body = BODY, at = Date.now(), id = 'evt_1' } = {}): Record<string, string> => {
    const timestamp = `${Math.floor(at / 1000)}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  };
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const signatureOf = (secret: string): string => sign(secret)['webhook-signature']!;
  /** The cases are signed when a test runs, because signatures expire. */
  const newCases = (): [string, Record<string, string>, boolean][] => [
    ['a genuine delivery', sign(SECRET), true],
    [
      'the second signature of a rotation',
      { ...sign(SECRET), 'webhook-signature': `${signatureOf(other)} ${signatureOf(SECRET)}` },
      true,
    ],
    ['another secret', sign(other), false],
    ['another body', sign(SECRET, { body: '{}' }), false],
    ['another id', sign(SECRET, { id: 'evt_2' }), false],
    ['a timestamp of 6 minutes ago', sign(SECRET, { at: Date.now() - 360_000 }), false],
    ['a timestamp in 6 minutes', sign(SECRET, { at: Date.now() + 360_000 }), false],
    ['no signature', { 'webhook-id': 'evt_1', 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` }, false],
    ['no timestamp', { ...sign(SECRET), 'webhook-timestamp': '' }, false],
    ['a signature of other characters', { ...sign(SECRET), 'webhook-signature': 'v1,ü€' }, false],
  ];
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const NODE = `import { isGenuine } from './verify.mjs';
    const { body, secret, cases } = JSON.parse(process.argv[1]);
    console.log(JSON.stringify(cases.map((headers) => isGenuine(headers, Buffer.from(body), secret))));`;
  const PYTHON = `import json, sys; from verify import is_genuine
given = json.loads(sys.argv[1])
print(json.dumps([is_genuine(headers, given["body"].encode(), given["secret"]) for headers in given["cases"]]))`;

  const FUNCTIONS: [string, string, string[]][] = [
    ['TypeScript', process.execPath, ['--input-type=module', '-e', NODE]],
    ['Python', 'python3', ['-c', PYTHON]],
  ];

  it.each(FUNCTIONS)(
    'has a function in %s that refuses an empty secret, with which anyone can sign',
    (_language, program, args) => {
      for (const [file, text] of filesOf('webhooks')) writeFileSync(join(folder, file), text);
      for (const secret of ['', 'whsec_']) {
        const given = JSON.stringify({ body: BODY, secret, cases: [sign('whsec_')] });
        const verify = () => execFileSync(program, [...args, given], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
        expect(verify).toThrow('The secret must be whsec_ and base64');
      }
    },
  );

  it.each(FUNCTIONS)('has a function in %s that accepts genuine deliveries only', (_language, program, args) => {
    for (const [file, text] of filesOf('webhooks')) writeFileSync(join(folder, file), text);
    const cases = newCases();
    const given = JSON.stringify({ body: BODY, secret: SECRET, cases: cases.map(([, headers]) => headers) });
    const answers = JSON.parse(execFileSync(program, [...args, given], { cwd: folder, encoding: 'utf8' }));
    expect(cases.map(([what], at) => [what, answers[at]])).toEqual(
      cases.map(([what, , isAccepted]) => [what, isAccepted]),
    );
  });

  it('creates a secret as printed', async () => {
    expect(await runGuide('webhooks', env)).toContain('{"secret":"whsec_');
  });
});

/** Enters a token on the page of a session, as a person would. */
const ENTER_TOKEN = `curl -sS -c jar -L -o page "$(printf %s "$session" | field connectUrl)"
  curl -sS -b jar -H "Origin: $BASE_URL" "$BASE_URL/connect/$(printf %s "$session" | field sessionId)" -d type=SECRET_TEXT -d field.secretText=t`;

describe('docs/connecting.md', () => {
  it('connects an account, uses it and reconnects it', async () => {
    const show = 'printf %s "$session" | field connectUrl';
    const output = await runGuide('connecting', env, { [show]: `${show}\n${ENTER_TOKEN}` });
    expect(output).toContain('"status":"COMPLETED"');
    expect(output).toContain('\nACTIVE\n');
    expect(output).toMatch(/"connectUrl":"[^"]+\/connect\/portal\?token=/);
    expect(output.trimEnd().split('\n').at(-1)).toMatch(/"connectUrl":"[^"]+\/connect\?token=cst_/);
  });

  it('shows a listener that trusts messages of the page only', () => {
    const [, listener] = /```js\n([^]*?)```/.exec(readGuide('connecting'))!;
    const printed: unknown[] = [];
    let receive: (event: object) => void = () => undefined;
    const addEventListener = (_type: string, handler: typeof receive): unknown => (receive = handler);
    runInNewContext(listener!, { addEventListener, console: { log: (...all: unknown[]) => printed.push(all) } });
    const data = { type: 'svc-connect-result', status: 'COMPLETED', connectionId: 'c', externalId: 'e', error: null };
    receive({ origin: 'https://evil.example', data });
    receive({ origin: 'https://drawbridge.acme.example', data: { ...data, type: 'other' } });
    receive({ origin: 'https://drawbridge.acme.example', data });
    expect(printed).toEqual([['COMPLETED', 'c', 'e', null]]);
  });
});

describe('docs/approvals.md', () => {
  it('opens an approval, approves it and runs the call, and tests a policy as printed', async () => {
    const output = await runGuide('approvals', env);
    expect(output).toMatch(/"status":"pending"[^]*"status":"approved"[^]*\{"success":true,"output":\{"key":"motto"/);
    expect(output).toContain(/^# (\{.*)$/m.exec(readGuide('approvals'))![1]);
    expect(output).toContain('"name":"Payments above 1,000"');
  });
});

const TOOLS = ['notes__get', 'notes__set', 'notes__delete', 'notes__list', 'notes__increment', 'svc_continue'];

describe('docs/mcp.md', () => {
  /** A fake OpenAI, because tests cannot reach the real API. */
  const openai = fakeProvider();
  afterAll(async () => (await openai).stop());

  /** Runs the guide. Without other values, it skips the commands of the Python client and of Claude Code. */
  async function guide({ python = 'true', claude = 'true', home = '' } = {}): Promise<string> {
    const { url } = await openai;
    const own = { ...env, OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk', ...(home && { HOME: home }) };
    return runGuide('mcp', own, { python3: python, 'claude mcp': `${claude} mcp` });
  }

  it('calls a tool with curl and with the TypeScript client, and passes OpenAI an address and a token that work', async () => {
    (await openai).on('POST /responses', { body: { id: 'resp_1' } });
    const output = await guide();
    expect(output).toContain('"structuredContent":{"found":true,"value":"Measure twice"');
    expect(output).toContain("{ found: true, value: 'Measure twice', expiresAt: null }");
    const [request] = (await openai).requests;
    const { server_url: url, authorization: token } = (request!.body as any).tools[0];
    const client = await officialClient({ baseUrl: url, path: '', token, serverId: '', endUserId: '' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('svc_search');
    await client.close();
  });

  it('shows configurations that have the address and the token where each client reads them', async () => {
    const its = apiOf(product.baseUrl, product.key);
    const { workspace } = (await its.post('/api/v1/workspaces', { name: 'W', slug: `mcp-${Date.now()}` })).body;
    const server = { name: 'S', workspaceId: workspace.id, authMode: 'bearer' };
    const { mcpEndpoint, bearerToken } = (await its.post('/api/v1/mcp/servers', server)).body;
    const filled = blocksOf('mcp')
      .filter(({ language, text }) => language === 'json' && text.includes('<MCP_URL>'))
      .map(({ text }) => JSON.parse(text.replaceAll('<MCP_URL>', mcpEndpoint).replaceAll('<MCP_TOKEN>', bearerToken)));
    const [desktop, cursor, code] = filled;
    const { args } = desktop.mcpServers.acme;
    expect(args.slice(1, 5)).toEqual(['mcp-remote', mcpEndpoint, '--header', `Authorization: Bearer ${bearerToken}`]);
    for (const { url, headers } of [cursor.mcpServers.acme, code.servers.acme]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const types = { 'content-type': 'application/json', accept: 'application/json' };
      expect((await fetch(url, { method: 'POST', headers: { ...types, ...headers }, body })).status).toBe(200);
    }
  });

  describeMcpClients('with the Python client and Claude Code', ({ python, claude }) => {
    it('calls a tool, and Claude Code connects', async () => {
      (await openai).on('POST /responses', { body: { id: 'resp_1' } });
      const home = mkdtempSync(join(tmpdir(), 'claude-'));
      const adds = join(home, 'claude.sh');
      writeFileSync(adds, `#!/bin/sh\n'${claude}' "$@" && '${claude}' mcp list\n`, { mode: 0o755 });
      const output = await guide({ python, claude: adds, home });
      rmSync(home, { recursive: true });
      expect(output).toMatch(/^acme: http\S+\/mcp\/srv_\S+ \(HTTP\) - \S+ Connected$/m);
      expect(output).toContain(JSON.stringify(TOOLS).replaceAll('"', "'").replaceAll(',', ', '));
      expect(output).toContain("{'found': True, 'value': 'Measure twice', 'expiresAt': None}");
    });
  });
});

describe('docs/code.md', () => {
  it('runs the first program as printed', async () => {
    expect(await runGuide('code', env)).toContain('"value":["b"],"console":[{"level":"log","text":"1"}]');
  });
});

describe('docs/self-hosting.md', () => {
  it('lists the checks of `admin doctor`', () => {
    const folder = join(import.meta.dirname, '../packages/cli/src/doctor');
    const source = ['running.ts', 'settings.ts'].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    const checks = [...source.matchAll(/\bfinding\(\s*'([a-z-]+)'/g)].map(([, name]) => name!);
    const listed = [...readGuide('self-hosting').matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name!);
    expect(listed.sort()).toEqual([...new Set(checks)].sort());
  });

  it('names variables of docs/operating.md and .env.example only', () => {
    const page = readGuide('self-hosting');
    const ofCompose = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm);
    const ofProduct = readGuide('operating').matchAll(/^\| `([A-Z_]+)`/gm);
    const known = new Set([...ofProduct, ...ofCompose].map(([, name]) => name));
    const named = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`|^([A-Z]+(?:_[A-Z]+)+)=/gm)].map(
      ([, code, line]) => code ?? line,
    );
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has keys and a check that work as printed', async () => {
    const output = await runGuide('self-hosting', env);
    expect(output).toMatch(/MASTER_KEYS=k1:\S{44}\nINTERNAL_KEY=[0-9a-f]{64}\n/);
    expect(output).toContain('{"status":"ok"');
  });
});

describe('docs/errors.md', () => {
  it('says for every code when to retry and what to do', () => {
    const rows = [...readGuide('errors').matchAll(/^\| `([A-Z_]+)` \| ([\d, ]+) \| (.+) \|$/gm)];
    const cells = rows.map(([, code, statuses, rest]) => ({ code, statuses, cells: rest!.split(' | ') }));
    expect(cells.map(({ code }) => code)).toEqual(Object.keys(ERROR_STATUS));
    for (const { code, statuses, cells: texts } of cells) {
      expect({ code, statuses }).toEqual({
        code,
        statuses: expect.stringContaining(`${ERROR_STATUS[code as ErrorCode]}`),
      });
      expect({ code, texts }).toEqual({ code, texts: [1, 2, 3].map(() => expect.stringMatching(/\S/)) });
    }
  });
});

it('the guides name the API key DRAWBRIDGE_KEY everywhere', () => {
  const others = GUIDES.flatMap((name) =>
    [...readGuide(name).matchAll(/Bearer \$(\w+)/g)].map(([, variable]) => variable),
  );
  expect([...new Set(others)].sort()).toEqual(['DRAWBRIDGE_KEY', 'MCP_TOKEN', 'OPENAI_API_KEY', 'token']);
});
