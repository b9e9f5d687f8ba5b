// Shapes: none; in full: local
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { misspelt } from './support/api.js';
import { eventually } from './support/eventually.js';
import { cli, github, inWorkspace, json, own, product, program, useGithubCli } from './support/github-cli.js';
import { type CliOptions, type Ended } from './support/sdk-cli.js';
import { webOf } from './support/web.js';

useGithubCli();

describe('drawbridge login', () => {
  const file = (): string => join(program.folder, 'config/drawbridge/config.json');
  const login = (options: CliOptions): Promise<Ended> =>
    cli(['login', '--url', product.baseUrl, '--json'], { env: NO_KEY, ...options });
  const NO_KEY = { DRAWBRIDGE_URL: '', DRAWBRIDGE_KEY: '' };
  afterEach(() => cli(['logout']));

  it('stores a key of stdin for this user alone, until logout', async () => {
    const { code, stdout, stderr } = await login({ input: `${product.key}\n` });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ url: product.baseUrl, organization: { id: product.orgId } });
    expect(stdout + stderr).not.toContain(product.key);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ url: product.baseUrl, apiKey: product.key });
    expect([statSync(file()).mode & 0o777, statSync(join(file(), '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect((await cli(['logs'], { env: NO_KEY })).code).toBe(0);
    expect(await json(['logout'])).toEqual({ removed: true });
    expect((await cli(['logs'], { env: NO_KEY })).code).toBe(2);
    expect(await json(['logout'])).toEqual({ removed: false });
  });

  it('reads a key that a person types, without showing it', async () => {
    const started = program.start(['login', '--url', product.baseUrl], {
      env: NO_KEY,
      inTerminal: true,
      isTyped: true,
    });
    await started.until(/API key for/);
    started.type(`x\u007f${product.key}\r`);
    await started.until(/Logged in/);
    expect((await started.ended).code).toBe(0);
    expect(started.stdout()).not.toContain(product.key.slice(0, 12));
    expect(JSON.parse(readFileSync(file(), 'utf8')).apiKey).toBe(product.key);
  });

  it('ends at Ctrl+C in the prompt', async () => {
    const started = program.start(['login', '--url', product.baseUrl], {
      env: NO_KEY,
      inTerminal: true,
      isTyped: true,
    });
    await started.until(/API key for/);
    started.type('\u0003');
    expect((await started.ended).code).toBe(130);
  });

  it('stores nothing if the key is refused, and keeps an earlier one', async () => {
    await login({ input: product.key });
    for (const input of [misspelt(product.key), 'secret', '']) {
      const { code, stdout, stderr } = await login({ input });
      expect(code).toBe(1);
      if (input !== '') expect(stdout + stderr).not.toContain(input);
    }
    expect(JSON.parse(readFileSync(file(), 'utf8')).apiKey).toBe(product.key);
  });

  it('is overridden by the variables, and its key is not sent to another instance', async () => {
    await login({ input: product.key });
    const wrong = await cli(['logs'], { env: { ...NO_KEY, DRAWBRIDGE_KEY: misspelt(product.key) } });
    expect(wrong.code).toBe(1);
    const other = await cli(['logs'], { env: { ...NO_KEY, DRAWBRIDGE_URL: github.url } });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('The stored key belongs to') });
    expect(github.requests).toEqual([]);
  });
});

describe('drawbridge connect', () => {
  beforeAll(async () => {
    const { workspaceId } = own;
    const app = { integrationName: 'github', clientId: 'client', clientSecret: 'secret', workspaceId };
    expect((await product.api.post('/api/v1/oauth-apps', app)).status).toBe(201);
  });
  beforeEach(() => github.on('GET /user', { body: { login: 'ann' } }));

  const connecting = (args: string[] = [], options?: CliOptions) =>
    program.start(['connect', 'github', ...inWorkspace(), ...args], options);

  async function fill(link: string): Promise<void> {
    const web = webOf(product.baseUrl);
    const { to } = await web.get(new URL(link).pathname + new URL(link).search);
    const page = new URL(to!, product.baseUrl).pathname;
    expect((await web.post(page, { type: 'SECRET_TEXT', 'field.secretText': 'ghp_cli' })).status).toBe(303);
  }

  it('prints a link, and the connection when it exists', async () => {
    const endUserId = `ann-${process.pid}`;
    await product.api.post('/api/v1/end-users', { workspaceId: own.workspaceId, externalId: endUserId });
    const started = connecting(['--end-user', endUserId, '--json']);
    const [link] = await started.until(/http\S+\/connect\?token=\S+/);
    await fill(link);
    const { code, stdout } = await started.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'COMPLETED', externalId: `github-${endUserId}` });
    const { connection } = (await product.api.get(`/api/v1/connections?id=${JSON.parse(stdout).connectionId}`)).body;
    expect(connection).toMatchObject({ scope: 'USER', integrationName: 'github' });
  });

  it('opens the link in the browser of a terminal, without the token in the arguments of a process', async () => {
    const opener =
      'echo "$1" > opened; curl -s -o /dev/null -D headers "$1"; curl -s -o /dev/null -w "%{http_code}" "$1" > again\n';
    writeFileSync(join(program.folder, 'xdg-open'), `#!/bin/sh\n${opener}`, { mode: 0o755 });
    const env = { PATH: `${program.folder}:${program.bin}:${process.env['PATH']}` };
    const started = connecting([], { inTerminal: true, isTyped: true, env });
    const [link] = await started.until(/http\S+\/connect\?token=[\w-]+/);
    const read = (name: string): string => readFileSync(join(program.folder, name), 'utf8');
    await eventually(async () => expect(read('again')).toBe('404'));
    expect(read('headers')).toContain(link);
    expect(read('opened')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\n$/);
    started.type('\u0003');
    expect((await started.ended).code).toBe(130);
  });

  it('is refused for an unknown integration', async () => {
    expect(await cli(['connect', 'githb', ...inWorkspace()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('INTEGRATION_NOT_FOUND'),
    });
  });
});
