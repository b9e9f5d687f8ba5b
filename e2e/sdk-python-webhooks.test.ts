// Shapes: none; in full: local
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fakeProvider, freePort, type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { ownProduct } from './support/own-product.js';
import { BIN, blocksOf, describePython, envOf } from './support/python-sdk.js';
import { hurry } from './support/webhook-receiver.js';

const run = promisify(execFile);
const LARGE_BYTES = 2_000_000;

const HOST = '127.0.0.1';
const FRAMEWORKS: [string, (port: string) => string[]][] = [
  ['fastapi', (port) => ['-m', 'uvicorn', 'receiver:app', '--host', HOST, '--port', port]],
  ['flask', (port) => ['-m', 'flask', '--app', 'receiver', 'run', '--host', HOST, '--port', port]],
];

interface Trigger {
  id: string;
  webhookUrl: string;
  signingSecret: string;
  callbackUrl: string;
}

let product: Product;
let api: Api;
let folder: string;
let server: ChildProcess | undefined;
let output: string;

describePython('webhooks of the Python SDK', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sdk-python-webhooks-'));
    product = await ownProduct({ env: { EGRESS_ALLOW: HOST } });
    api = apiOf(product.baseUrl, product.key);
  });
  afterAll(async () => {
    await product?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    if (server?.kill()) await once(server, 'exit');
    server = undefined;
  });

  /** Enables a trigger that accepts any request. */
  async function enable(callbackUrl: string): Promise<Trigger> {
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'W', slug: `python-${Date.now()}` })).body;
    const hook = { integrationName: 'http', triggerName: 'catch_hook', workspaceId: workspace.id, callbackUrl };
    const { body } = await api.post('/api/v1/triggers/enable', hook);
    return { ...body.triggerSource, callbackUrl, signingSecret: body.signingSecret };
  }

  const send = ({ webhookUrl }: Trigger, body: object): Promise<Response> =>
    fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const delivered = ({ id }: Trigger, ...expected: object[]): Promise<void> =>
    eventually(async () => {
      const { deliveries } = (await api.get(`/api/v1/triggers/${id}/deliveries`)).body;
      expect({ deliveries, output }).toMatchObject({ deliveries: expected });
    });

  /** Starts the receiver of the README, with the given lines at the beginning of its handler. */
  async function start(framework: string, args: (port: string) => string[], lines = ''): Promise<Trigger> {
    const port = String(await freePort());
    const url = `http://${HOST}:${port}/events`;
    const trigger = await enable(url);
    const [program = ''] = blocksOf(framework, 'python');
    writeFileSync(join(folder, 'receiver.py'), program.replace(/^(?:async )?def handle.*$/m, `$&\n${lines}`));
    const env = { ...envOf(product), SIGNING_SECRET: trigger.signingSecret };
    output = '';
    server = spawn(join(BIN!, 'python'), args(port), { cwd: folder, env });
    for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (text) => (output += text));
    await eventually(() => fetch(url));
    return trigger;
  }

  describe.each(FRAMEWORKS)('with %s', (framework, args) => {
    it('receives the events of the product, also large ones, and refuses other requests', async () => {
      const trigger = await start(framework, args);
      expect((await send(trigger, { order: 1347 })).status).toBe(200);
      await delivered(trigger, { status: 'success', httpStatus: 204 });
      expect(output).toContain("'order': 1347");
      expect((await send(trigger, { text: 'a'.repeat(LARGE_BYTES) })).status).toBe(200);
      await delivered(trigger, { status: 'success', httpStatus: 204 }, { status: 'success', httpStatus: 204 });
      expect((await fetch(trigger.callbackUrl, { method: 'POST', body: '{}' })).status).toBe(401);
    });

    it('receives an event again that could not be handled', async () => {
      const trigger = await start(framework, args, FAIL_ONCE);
      await send(trigger, { order: 1 });
      await delivered(trigger, { status: 'retrying', httpStatus: 500, attempt: 1 });
      expect(output).toContain('The database is away');
      await hurry(product.databaseUrl, 'triggers');
      await delivered(trigger, { status: 'success', httpStatus: 204, attempt: 2 });
    });
  });

  it('verifies a callback with the function of the README', async () => {
    const receiver = await fakeProvider();
    try {
      receiver.on('POST /events', { status: 204 });
      const trigger = await enable(`${receiver.url}/events`);
      await send(trigger, { order: 1 });
      await delivered(trigger, { status: 'success' });
      const { headers, text } = receiver.requests.find(({ url }) => url === '/events')!;
      const [program = ''] = blocksOf('verify', 'python');
      const calls = `
import json, sys
given = json.loads(sys.argv[1])
print(receive(given["text"].encode(), given["headers"]), receive(given["text"].encode() + b" ", given["headers"]))`;
      const env = { ...envOf(product), SIGNING_SECRET: trigger.signingSecret };
      const args = ['-c', program + calls, JSON.stringify({ headers, text })];
      const { stdout } = await run(join(BIN!, 'python'), args, { env });
      expect(stdout).toMatch(/^received \S+\n204 401\n$/);
    } finally {
      await receiver.stop();
    }
  });
});

const FAIL_ONCE = `    if not os.environ.pop("FAILED", None):
        os.environ["FAILED"] = "1"
        raise RuntimeError("The database is away")`;
