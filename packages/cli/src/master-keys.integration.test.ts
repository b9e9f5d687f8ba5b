import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';

const CLI = join(import.meta.dirname, '../dist/main.js');
const parent = mkdtempSync(join(tmpdir(), 'drawbridge-master-keys-'));
const DATA_DIR = join(parent, 'data');
const KEYS = join(DATA_DIR, 'master-keys');
let running: ChildProcess | undefined;

afterAll(async () => {
  running?.kill('SIGKILL');
  await (await startPostgres({ dataDir: DATA_DIR })).discard();
  rmSync(parent, { recursive: true });
});

/** Starts the product: what it wrote until it was ready, or until it ended with the code. */
async function start() {
  const env = { PATH: process.env['PATH'], DATA_DIR };
  const child = (running = spawn(process.execPath, [CLI, 'start', '--port', '0'], { env }));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close').then(([code]) => code as number);
  const ready = async () => {
    while (!output.includes('Ctrl-C')) await once(child.stdout, 'data');
  };
  const code = await Promise.race([ended, ready().then(() => undefined)]);
  const stop = () => (child.kill('SIGTERM'), ended);
  return { code, output, stop };
}

async function storeCredential(output: string): Promise<void> {
  const { plainKey } = JSON.parse(readFileSync(join(DATA_DIR, 'bootstrap.json'), 'utf8'));
  const response = await fetch(`${/Base URL +(\S+)/.exec(output)?.[1]}/api/v1/connections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${plainKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ integrationName: 'github', type: 'SECRET_TEXT', secretText: 'ghp_kept', scope: 'ORGANIZATION' },
      ...{ externalId: 'kept', displayName: 'Kept' },
    }),
  });
  expect(response.status).toBe(201);
}

it('makes a key whose id tells it apart from any other', async () => {
  const product = await start();
  expect(readFileSync(KEYS, 'utf8')).toMatch(/^local-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/);
  await storeCredential(product.output);
  expect(await product.stop()).toBe(0);
});

it('does not start over a lost key, says which it is, and starts with it again', async () => {
  const [id] = readFileSync(KEYS, 'utf8').split(':');
  renameSync(KEYS, join(parent, 'lost'));
  const { code, output } = await start();
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`MASTER_KEYS: key ${id} is missing`) });

  renameSync(join(parent, 'lost'), KEYS);
  const found = await start();
  expect(found.code).toBeUndefined();
  expect(await found.stop()).toBe(0);
});

it('takes no other key for one of the same name', async () => {
  const [id] = readFileSync(KEYS, 'utf8').split(':');
  writeFileSync(KEYS, `${id}:${Buffer.alloc(32, 7).toString('base64')}`);
  const { code, output } = await start();
  expect(code).toBe(1);
  expect(output).toContain(`MASTER_KEYS: key ${id} is not the one of that name`);
});

it('works with the id of earlier installations', async () => {
  rmSync(KEYS);
  await (await startPostgres({ dataDir: DATA_DIR })).discard();
  writeFileSync(KEYS, `local:${Buffer.alloc(32, 7).toString('base64')}`);
  const product = await start();
  expect(product.code).toBeUndefined();
  await storeCredential(product.output);
  expect(await product.stop()).toBe(0);
});
