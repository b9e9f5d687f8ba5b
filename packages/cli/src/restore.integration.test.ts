import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { cli } from './testing/cli.js';

const { start, remove, DATA_DIR } = cli();
const received: string[] = [];
const provider = createServer((request, response) => {
  received.push(request.headers.authorization ?? '');
  response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1,"number":1}');
}).listen(0, '127.0.0.1');

afterAll(async () => {
  provider.close();
  await remove();
});

/** Returns the two `tar` commands in the documentation, with the data directory of this test. */
function documented(): { save: string; restore: string } {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8');
  const [save, restore] = text.match(/^tar -C .*$/gm)!;
  return { save: save!.replaceAll('.data', DATA_DIR), restore: restore!.replace(/ +#.*/, '') };
}

function run(command: string): void {
  execFileSync('bash', ['-c', command], { cwd: dirname(DATA_DIR), stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Deletes everything that the product stored on the disk. */
function destroy(): void {
  const database = realpathSync(join(DATA_DIR, 'postgres'));
  for (const folder of [DATA_DIR, database]) rmSync(folder, { recursive: true });
}

type Product = Awaited<ReturnType<typeof start>>;

async function post(product: Product, path: string, body: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`${product.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

let key: string;

it('is whole after a restore: keys, credentials, and a call that waits for its approval', async () => {
  await once(provider, 'listening');
  const ORIGIN_MAP = JSON.stringify({
    'https://api.github.com': `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
  });
  const before = await start({ ORIGIN_MAP });
  [key = ''] = before.firstKey.split(' ');
  const { workspace } = (await post(before, '/workspaces', { name: 'W', slug: 'restored' })).body;
  const connection = {
    ...{ integrationName: 'github', type: 'SECRET_TEXT', secretText: 'ghp_restored', displayName: 'GitHub' },
    ...{ scope: 'WORKSPACE', workspaceId: workspace.id, externalId: 'restored' },
  };
  const connectionId = (await post(before, '/connections', connection)).body.connection.id;
  const integration = { integrationName: 'github', alias: 'gh', connectionId };
  expect((await post(before, `/workspaces/${workspace.id}/integrations`, integration)).status).toBe(201);
  expect((await post(before, '/approval-policies', { name: 'Ask', workspaceId: workspace.id })).status).toBe(201);
  const call = {
    ...{
      workspaceId: workspace.id,
      integrationName: 'github',
      actionName: 'create_issue',
      idempotencyKey: 'restored-1',
    },
    integrationAlias: 'gh',
    input: { repo: 'acme/app', title: 'T' },
  };
  const waiting = await post(before, '/actions/execute', call);
  expect(waiting).toMatchObject({ status: 202, body: { status: 'approval_required' } });
  expect(await before.stop()).toBe(0);

  const { save, restore } = documented();
  run(save);
  destroy();
  run(restore);

  const after = await start({ ORIGIN_MAP });
  expect(after.output()).not.toContain(key);
  const decided = await post(after, `/approvals/${waiting.body.approval.id}/approve`, {});
  expect(decided).toMatchObject({ status: 200 });
  expect(await post(after, '/actions/execute', call)).toMatchObject({ status: 200, body: { success: true } });
  expect(received).toEqual(['Bearer ghp_restored']);
  expect(await after.stop()).toBe(0);
});
