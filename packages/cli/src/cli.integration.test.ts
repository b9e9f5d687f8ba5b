import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';
import { cli } from './testing/cli.js';

const { parent, DATA_DIR, start, run, admin, remove } = cli();
afterAll(remove);

async function organizationOf(baseUrl: string, key: string): Promise<{ status: number; body: any }> {
  const response = await fetch(`${baseUrl}/api/v1/organization`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

it('prints a working key only at the first start, and exits with 0 on SIGTERM', async () => {
  const first = await start();
  const [key = ''] = first.firstKey.split(' ');
  expect((await organizationOf(first.baseUrl, key)).status).toBe(200);
  expect(await first.stop()).toBe(0);
  expect(existsSync(join(DATA_DIR, 'runtime.json'))).toBe(false);

  const second = await start();
  expect(second.firstKey).toBe(`in ${join(DATA_DIR, 'bootstrap.json')}`);
  expect((await organizationOf(second.baseUrl, key)).status).toBe(200);
  expect(await second.stop()).toBe(0);
});

it('prints a sign-in link and a first call only at the first start, and both work', async () => {
  const folder = join(parent, 'first');
  const first = await start({ DATA_DIR: folder });
  const [link = ''] = /http\S+\/sign-in\/link\?token=\S+/.exec(first.output()) ?? [];
  const [, url = '', key = ''] = /curl (\S+) -H 'Authorization: Bearer (svc_\w+)'/.exec(first.output()) ?? [];
  expect((await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  expect(await (await fetch(link)).text()).toContain('owner@localhost');
  const signIn = () => {
    const body = new URLSearchParams({ token: new URL(link).searchParams.get('token') ?? '', next: '/account' });
    return fetch(new URL('/sign-in/link', link), {
      ...{ method: 'POST', body, redirect: 'manual', headers: { origin: new URL(link).origin } },
    });
  };
  const signedIn = await signIn();
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, expect.stringContaining('/account')]);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const organization = await fetch(`${first.baseUrl}/api/v1/organization`, { headers: { cookie } });
  expect(organization.status).toBe(200);
  expect((await signIn()).status).toBe(404);
  await first.stop();

  const second = await start({ DATA_DIR: folder });
  expect(second.output()).not.toMatch(/sign-in\/link|curl/);
  await second.stop();
  await (await startPostgres({ dataDir: folder })).discard();
});

it('explains a used port, and shows the first key at the start that succeeds', async () => {
  const folder = join(parent, 'taken');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { code, output } = await run(['start', '--port', String(port), '--data-dir', folder]);
  taken.close();
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining(`PORT: ${port} is taken on 127.0.0.1. Give another, or 0 for a free one`),
  });

  const product = await start({ DATA_DIR: folder });
  const [key = ''] = product.firstKey.split(' ');
  expect((await organizationOf(product.baseUrl, key)).status).toBe(200);
  await product.stop();
  await (await startPostgres({ dataDir: folder })).discard();
});

it('names the running process that uses the DATA_DIR, and the remedy', async () => {
  const product = await start();
  const { code, output } = await run(['start', '--port', '0']);
  expect(code).toBe(1);
  expect(output).toMatch(/Process \d+ uses this data directory .*: stop it, or set another DATA_DIR/);
  await product.stop();
});

it('prints its version', async () => {
  for (const args of [['--version'], ['start', '--version']]) {
    expect(await run(args)).toEqual({ code: 0, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  }
});

it('logs its stop as the last line', async () => {
  const product = await start();
  await product.stop();
  expect(JSON.parse(product.output().trimEnd().split('\n').at(-1)!)).toMatchObject({ msg: 'stopped' });
});

it.each(['bootstrap.json', 'internal-key', 'master-keys'])('makes %s readable only for its owner', (name) => {
  expect(statSync(join(DATA_DIR, name)).mode & 0o777).toBe(0o600);
});

it('creates organizations and keys while the product runs and while it does not', async () => {
  const product = await start();
  const made = await admin(['org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.test']);
  expect(made).toMatchObject({ code: 0, document: { organization: { name: 'Acme', plan: 'free' } } });
  expect((await organizationOf(product.baseUrl, made.document.plainKey)).body.organization.name).toBe('Acme');
  await product.stop();

  const org = made.document.organization.id;
  const key = await admin(['key', 'create', '--user-email', 'ada@acme.test', '--org', org, '--name', 'CI']);
  expect(key).toMatchObject({ code: 0, document: { apiKey: { name: 'CI', orgId: org } } });
  expect((await admin(['org', 'list'])).document.total).toBe(2);
});

it.each([
  ['a missing option', ['org', 'create', '--name', 'X'], 'VALIDATION_ERROR'],
  ['an unknown command', ['org', 'rename'], 'VALIDATION_ERROR'],
  ['a group without a command', ['user'], 'VALIDATION_ERROR'],
  [
    'an unknown plan',
    ['org', 'create', '--name', 'X', '--owner-email', 'x@x.test', '--plan', 'gold'],
    'VALIDATION_ERROR',
  ],
  [
    'a stranger',
    ['key', 'create', '--user-email', 'n@x.test', '--org', '0192f3c4-0000-7000-8000-000000000000', '--name', 'X'],
    'NOT_FOUND',
  ],
  [
    'an id that is none',
    ['key', 'create', '--user-email', 'n@x.test', '--org', 'none', '--name', 'X'],
    'VALIDATION_ERROR',
  ],
  ['an empty name', ['org', 'create', '--name', ' ', '--owner-email', 'x@x.test'], 'VALIDATION_ERROR'],
  ['a bad email', ['org', 'create', '--name', 'X', '--owner-email', 'ann'], 'VALIDATION_ERROR'],
])('answers %s with one document and exit code 1', async (_case, args, code) => {
  expect(await admin(args)).toEqual({
    code: 1,
    document: { error: expect.any(String), code, details: expect.anything() },
  });
});

it('creates no database in a mistyped DATA_DIR', async () => {
  const mistyped = join(parent, 'dta');
  const { code, document } = await admin(['org', 'list'], { DATA_DIR: mistyped });
  expect({ code, document }).toMatchObject({ code: 1, document: { code: 'NOT_FOUND' } });
  expect(document.error).toContain(`there is no database in ${mistyped}`);
  expect(existsSync(mistyped)).toBe(false);
});

it('shows no key for an older database, which has its own organizations', async () => {
  const { url, stop } = await startPostgres({ dataDir: DATA_DIR });
  const elsewhere = join(parent, 'elsewhere');
  const product = await start({ DATABASE_URL: url, DATA_DIR: elsewhere });
  expect(product.firstKey).toContain('has organizations already');
  expect(existsSync(join(elsewhere, 'bootstrap.json'))).toBe(false);
  expect(await product.stop()).toBe(0);
  await stop();
});

it('never prints the configured key of the operator', async () => {
  const BOOTSTRAP_API_KEY = JSON.parse(readFileSync(join(DATA_DIR, 'bootstrap.json'), 'utf8')).plainKey;
  const product = await start({ BOOTSTRAP_API_KEY });
  expect(product.firstKey).toBe('as given in BOOTSTRAP_API_KEY');
  await product.stop();
});
