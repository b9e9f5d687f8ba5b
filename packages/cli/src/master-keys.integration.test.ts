import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';

const CLI = process.env['DRAWBRIDGE_CLI']!;
const parent = mkdtempSync(join(tmpdir(), 'drawbridge-master-keys-'));
const DATA_DIR = join(parent, 'data');
const KEYS = join(DATA_DIR, 'master-keys');
let running: ChildProcess | undefined;

afterAll(async () => {
  running?.kill('SIGKILL');
  await (await startPostgres({ dataDir: DATA_DIR })).discard();
  rmSync(parent, { recursive: true });
});

/** Starts the product. Resolves with its output when it is ready or has exited. */
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

it('generates a key with a unique id', async () => {
  const product = await start();
  expect(readFileSync(KEYS, 'utf8')).toMatch(/^local-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/);
  await storeCredential(product.output);
  expect(await product.stop()).toBe(0);
});

it('does not start without a lost key, names the key, and starts again with it', async () => {
  const [id] = readFileSync(KEYS, 'utf8').split(':');
  renameSync(KEYS, join(parent, 'lost'));
  const { code, output } = await start();
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`MASTER_KEYS: key ${id} is missing`) });

  renameSync(join(parent, 'lost'), KEYS);
  const found = await start();
  expect(found.code).toBeUndefined();
  expect(await found.stop()).toBe(0);
});

it('refuses another key with the same id', async () => {
  const [id] = readFileSync(KEYS, 'utf8').split(':');
  writeFileSync(KEYS, `${id}:${Buffer.alloc(32, 7).toString('base64')}`);
  const { code, output } = await start();
  expect(code).toBe(1);
  expect(output).toContain(`MASTER_KEYS: key ${id} has a different value`);
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

describe('admin keys rotate-master', () => {
  const [next, other] = [8, 9].map((fill) => Buffer.alloc(32, fill).toString('base64'));

  /** Uses the generated keys of the DATA_DIR unless `env` sets MASTER_KEYS. */
  function rotate(env: NodeJS.ProcessEnv = {}): Promise<{ code: number; document: unknown; told: string }> {
    return new Promise((resolve) => {
      const options = { env: { PATH: process.env['PATH'], DATA_DIR, ...env } };
      const child = execFile(process.execPath, [CLI, 'admin', 'keys', 'rotate-master'], options, (_error, out, told) =>
        resolve({ code: child.exitCode ?? -1, document: JSON.parse(out), told }),
      );
    });
  }

  it('rewraps stored credentials while the product is stopped, and reports progress on standard error', async () => {
    writeFileSync(KEYS, `next:${next},${readFileSync(KEYS, 'utf8')}`);
    const { code, document, told } = await rotate();
    expect({ code, document }).toEqual({ code: 0, document: { rewrapped: 1, remaining: 0, masterKeyId: 'next' } });
    expect(told).toContain('connections.connections: 1 of 1 rewrapped');

    writeFileSync(KEYS, `next:${next}`);
    const product = await start();
    expect(product.code).toBeUndefined();
    await product.stop();
  });

  it('rewraps them while the product runs, with the keys of the variable', async () => {
    writeFileSync(KEYS, `other:${other},next:${next}`);
    const product = await start();
    const { code, document } = await rotate({ MASTER_KEYS: `other:${other},next:${next}` });
    expect({ code, document }).toEqual({ code: 0, document: { rewrapped: 1, remaining: 0, masterKeyId: 'other' } });
    await product.stop();
  });

  it.each([
    ['a key that is in use is missing', { MASTER_KEYS: `next:${next}` }, 'MASTER_KEYS: key other is missing'],
    ['there is no key', { DATA_DIR: parent, DATABASE_URL: 'postgres://me@127.0.0.1:1/x' }, 'MASTER_KEYS: is required'],
  ])('fails with exit code 1 when %s', async (_case, env, error) => {
    const { code, document } = await rotate(env);
    expect({ code, document }).toMatchObject({ code: 1, document: { error: expect.stringContaining(error) } });
  });
});
