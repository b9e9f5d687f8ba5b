// Shapes: none; in full: local
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook } from '@drawbridge/sdk';
import { type FakeProvider, fakeProvider, type RecordedRequest } from '@drawbridge/testkit';
import { Webhook } from 'standardwebhooks';
import { apiOf, misspelt } from './support/api.js';
import { decide, newPolicy } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { UNKNOWN_ID } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { blocksOf } from './support/guides.js';
import { newServer } from './support/mcp-servers.js';
import { newOrganization } from './support/organizations.js';
import { SDK } from './support/packed-sdk.js';
import { provider } from './support/provider.js';
import { type Cli, type CliOptions, type Ended, sdkCli, type Started } from './support/sdk-cli.js';
import { simulatedTrigger } from './support/triggers.js';
import { webOf } from './support/web.js';

const ISSUES = 'POST /repos/acme/app/issues';

let product: Drawbridge;
let github: FakeProvider;
let own: GithubWorkspace;
let program: Cli;

beforeAll(async () => {
  product = await drawbridge();
  github = await provider();
  own = await githubWorkspace(product.api);
  program = await sdkCli({ DRAWBRIDGE_URL: product.baseUrl, DRAWBRIDGE_KEY: product.key });
});
beforeEach(() => {
  github.reset();
  github.on(ISSUES, ({ body }) => ({ status: 201, body: { number: 7, title: (body as { title: string }).title } }));
});
afterAll(async () => {
  program?.stop();
  await github?.stop();
});

/** Returns the commands of the program in a page of docs/. */
const commandsOfProgram = (page: string): string[] =>
  blocksOf(page).flatMap(({ text }) => (text.startsWith('npx drawbridge ') ? [text] : []));

const cli = (args: string[], options?: CliOptions): Promise<Ended> => program.run(args, options);
/** Returns the JSON document of a command that succeeds. */
async function json(args: string[], options?: CliOptions): Promise<any> {
  const { code, stdout, stderr } = await cli([...args, '--json'], options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout.trimEnd().split('\n').length).toBe(1);
  return JSON.parse(stdout);
}
const inWorkspace = (): string[] => ['--workspace', own.workspaceId];
const issue = (...fields: string[]): string[] => [
  'run',
  'github.create_issue',
  ...inWorkspace(),
  '--repo',
  'acme/app',
  ...fields,
];
const sent = (): any => github.requests.at(-1)?.body;

const README = readFileSync(join(SDK, 'README.md'), 'utf8');
const COMMANDS = /<!-- command line: a test runs this block -->\s+```sh\n(.*?)```/s.exec(README)?.[1] ?? '';

describe('the README', () => {
  it('has commands that work as printed, for a person with one workspace', async () => {
    const { plainKey } = await newOrganization(product.databaseUrl);
    const api = apiOf(product.baseUrl, plainKey);
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Acme', slug: `readme-${Date.now()}` })).body;
    await api.post(`/api/v1/workspaces/${workspace.id}/integrations`, { integrationName: 'hash-encode' });
    const commands = COMMANDS.replaceAll('http://127.0.0.1:8080', product.baseUrl);
    const NONE = { DRAWBRIDGE_URL: '', DRAWBRIDGE_KEY: '' };
    const { code, stdout, stderr } = await program.shell(commands, { env: NONE, input: plainKey });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Logged in') });
    expect(stdout).toContain('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    expect(stdout).toMatch(/success {2}hash-encode\.hash/);
    await program.run(['logout']);
  });
});

describe('drawbridge', () => {
  const NONE = { DRAWBRIDGE_URL: '', DRAWBRIDGE_KEY: '' };

  it('shows its commands, and the flags of each', async () => {
    const { code, stdout } = await cli(['--help']);
    expect(code).toBe(0);
    const names = [...stdout.matchAll(/^ {2}(\w+(?: \w+)?) {2}/gm)].map(([, name]) => name!);
    expect(names).toEqual([
      'login',
      'logout',
      'run',
      'connect',
      'logs',
      'triggers list',
      'triggers listen',
      'mcp add',
      'generate',
    ]);
    for (const name of names) {
      const help = await cli([...name.split(' '), '--help']);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain(`Usage: drawbridge ${name}`);
      expect(help.stdout).toContain('--json');
    }
    expect((await cli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [[], 'Usage: drawbridge'],
    [['lgos'], 'Unknown command lgos. Did you mean logs?'],
    [['triggers'], 'Name the command: triggers list'],
    [['triggers', 'lst'], 'Unknown command triggers lst. Did you mean triggers list?'],
    [['logs', '--folow'], 'Unknown flag --folow. Did you mean --follow?'],
    [['logs', '--status'], '--status needs a value'],
    [
      ['logs', '--status', 'faild'],
      '--status must be one of running, success, failed (got faild). Did you mean failed?',
    ],
    [['logs', '--limit', '0'], '--limit must be a number from 1 to 1000 (got 0)'],
    [['logs', '--limit', '1', '--limit', '2'], '--limit was given twice'],
    [['logs', 'more'], 'Unexpected argument more'],
    [['connect'], 'Name one integration'],
    [
      ['mcp', 'add', 'cursr', '--server', 'x'],
      'Name one program: claude, cursor, vscode (got cursr). Did you mean cursor?',
    ],
    [['mcp', 'add', 'cursor'], '--server is missing'],
    [['login', 'svc_key'], 'login takes no arguments'],
    [['run'], 'Name an integration or an action'],
    [['run', '--title', 'x', 'github.create_issue'], 'Unknown flag --title'],
  ])('refuses %j as wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('prints a refusal as JSON on stdout and as a message on stderr', async () => {
    const env = { DRAWBRIDGE_KEY: misspelt(product.key) };
    const { code, stdout, stderr } = await cli(['logs', '--json'], { env });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'UNAUTHENTICATED', error: expect.any(String) });
    expect(stderr).toContain('Run `drawbridge login`');
    expect(stdout + stderr).not.toContain(env.DRAWBRIDGE_KEY);
  });

  it('says how to log in without settings', async () => {
    const { code, stderr } = await cli(['logs'], { env: NONE });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Run `drawbridge login --url URL`') });
  });

  it('fails if the instance cannot be reached', async () => {
    const { code, stderr } = await cli(['run', 'github'], { env: { DRAWBRIDGE_URL: 'http://127.0.0.1:9' } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('failed:') });
  });

  it('fails if its output cannot be written', async () => {
    expect((await program.shell('drawbridge logs --json > /dev/full')).code).toBe(1);
  });

  it.each(['http://drawbridge.invalid', 'http://127.0.0.1.drawbridge.invalid', 'http://192.0.2.1:8080'])(
    'sends no key to %s unless --insecure',
    async (DRAWBRIDGE_URL) => {
      const refused = await cli(['run', 'github'], { env: { DRAWBRIDGE_URL } });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not encrypted') });
    },
  );

  it('allows an http address with --insecure', async () => {
    const { code, stderr } = await cli(['run', 'github', '--insecure'], {
      env: { DRAWBRIDGE_URL: 'http://drawbridge.invalid' },
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
  });

  it('colors a terminal, unless NO_COLOR is set', async () => {
    const colored = await cli(['logs', '--limit', 'x'], { inTerminal: true, env: { TERM: 'xterm' } });
    expect(colored).toMatchObject({ code: 2, stdout: expect.stringContaining('\u001b[31merror:\u001b[0m') });
    const plain = await cli(['logs', '--limit', 'x'], { inTerminal: true, env: { TERM: 'xterm', NO_COLOR: '1' } });
    expect(plain.stdout).not.toContain('\u001b');
  });
});

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

describe('drawbridge run', () => {
  it('lists the actions of an integration, and the fields of an action', async () => {
    const { stdout } = await cli(['run', 'github']);
    expect(stdout).toMatch(/^github\.create_issue {2,}\S/m);
    expect((await json(['run', 'github'])).actions).toContainEqual(
      expect.objectContaining({ action: 'github.create_issue' }),
    );
    const help = await cli(['run', 'github.create_issue', '--help']);
    expect(help).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/--title TEXT +Required\. .*\n.*\n +--labels VALUE … /),
    });
  });

  it('runs an action, and prints its output', async () => {
    const { code, stdout } = await cli(issue('--title', 'Broken'));
    expect({ code, output: JSON.parse(stdout) }).toMatchObject({ code: 0, output: { number: 7 } });
    expect(await json(issue('--title', 'Broken'))).toMatchObject({ success: true, output: { number: 7 } });
    expect(sent()).toMatchObject({ title: 'Broken' });
  });

  it('reads lists by repetition, objects as JSON, and inputs of files and stdin', async () => {
    await json(issue('--title=-- dashes', '--labels', 'a', '--labels', 'b'));
    expect(sent()).toMatchObject({ title: '-- dashes', labels: ['a', 'b'] });
    writeFileSync(join(program.folder, 'input.json'), '{"title": "File", "body": "Of the file"}');
    await json(issue('--input', '@input.json', '--input.title', 'Flag'));
    expect(sent()).toMatchObject({ title: 'Flag', body: 'Of the file' });
    await json(issue('--input', '-'), { input: '{"title": "Stdin"}' });
    expect(sent()).toMatchObject({ title: 'Stdin' });
  });

  it('accepts a field in kebab and in snake case', async () => {
    const settings = ['--workspace', own.workspaceId, '--text', 'hello', '--algorithm', 'sha256'];
    await product.api.post(`/api/v1/workspaces/${own.workspaceId}/integrations`, { integrationName: 'hash-encode' });
    const { output } = await json(['run', 'hash-encode.hash', ...settings]);
    expect(JSON.stringify(output)).toContain('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    github.on('PUT /repos/acme/app/pulls/1/merge', { body: { merged: true, sha: 'a' } });
    for (const flag of ['--merge-method', '--merge_method']) {
      const args = ['run', 'github.merge_pull_request', ...inWorkspace(), '--repo', 'acme/app', '--pull-number', '1'];
      await cli([...args, flag, 'squash']);
      expect(sent()).toMatchObject({ merge_method: 'squash' });
    }
  });

  it.each([
    [['--titel', 'x'], 'Unknown flag --titel. Did you mean --title?'],
    [[], '--title: is required'],
    [['--title', 'x', '--input', '[]'], '--input must be a JSON object'],
    [['--title', 'x', '--input', '@missing.json'], '--input cannot be read'],
    [['--title', 'x', '--title', 'y'], '--title was given twice'],
    [['x'], 'Unexpected argument x'],
  ])('refuses %j as wrong usage', async (fields, message) => {
    const { code, stderr } = await cli(issue(...fields));
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(github.requests).toEqual([]);
  });

  it.each([
    ['githb.create_issue', 'The instance has no integration githb. Did you mean github?'],
    ['github.create_isue', 'github has no action create_isue. Did you mean create_issue?'],
    ['github.constructor', 'github has no action constructor'],
  ])('suggests a name for %s', async (target, message) => {
    expect(await cli(['run', target])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('prints what a provider says without control characters', async () => {
    const hostile = '\u001b[2J\u009b31m\u202eX';
    github.on(ISSUES, { status: 422, body: { message: `Refused ${hostile}` } });
    const refused = await cli(issue('--title', 'x'));
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Refused ⟨U+001B⟩[2J⟨U+009B⟩31m⟨U+202E⟩X'),
    });
    github.on(ISSUES, { status: 201, body: { number: 8, title: hostile, html_url: hostile } });
    const texts = [refused.stderr, (await cli(issue('--title', 'x'))).stdout];
    texts.push(
      (await cli(['logs', ...inWorkspace()])).stdout,
      (await cli(['logs', '--json', ...inWorkspace()])).stdout,
    );
    for (const text of texts) expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(texts.at(-1)).toContain('\\u009b');
  });

  describe('with an approval', () => {
    let policyId: string;
    beforeAll(async () => {
      policyId = (await newPolicy(product.api, { workspaceId: own.workspaceId })).id;
    });
    afterAll(() => product.api.delete(`/api/v1/approval-policies/${policyId}`));

    it.each([
      ['approve', 0],
      ['reject', 1],
    ])('prints the link and waits: %s ends with exit code %s', async (decision, code) => {
      const started = program.start([...issue('--title', 'Asked'), '--json']);
      const [link, id] = await started.until(/http\S+\/approvals\/(apr_[\w-]+)\?token=\S+/);
      expect(started.stdout()).toBe('');
      expect(link).toContain(product.baseUrl);
      await decide(product.api, id!, decision);
      const ended = await started.ended;
      expect(ended.code).toBe(code);
      expect(JSON.parse(ended.stdout)).toMatchObject(
        code === 0 ? { output: { number: 7 } } : { error: expect.stringContaining('rejected') },
      );
    });

    it('says that the approval stays valid if a policy blocks the call, and it does', async () => {
      const started = program.start(issue('--title', 'Blocked'));
      const [, id] = await started.until(/approvals\/(apr_[\w-]+)\?/);
      const blocking = await newPolicy(product.api, { workspaceId: own.workspaceId, decision: 'block', priority: 1 });
      await decide(product.api, id!, 'approve');
      const { code, stderr } = await started.ended;
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('blocks this call') });
      const [flag, key] = /stays valid.* (--idempotency-key) (\S+)/.exec(stderr)!.slice(1) as [string, string];
      expect((await product.api.delete(`/api/v1/approval-policies/${blocking.id}`)).status).toBe(200);
      expect(await json(issue('--title', 'Blocked', flag, key))).toMatchObject({ output: { number: 7 } });
    });

    it('does not say that the approval stays valid after the action refused its input', async () => {
      github.on('GET /repos/acme/app/contents/docs', { body: [] });
      const started = program.start([
        'run',
        'github.get_file',
        ...inWorkspace(),
        '--repo',
        'acme/app',
        '--path',
        'docs',
      ]);
      const [, id] = await started.until(/approvals\/(apr_[\w-]+)\?/);
      await decide(product.api, id!, 'approve');
      const { code, stderr } = await started.ended;
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a file') });
      expect(stderr).not.toContain('stays valid');
      const { body } = await product.api.get(`/api/v1/approvals/${id}`);
      expect(body.approval.status).toBe('consumed');
    });

    it('stops waiting at Ctrl+C, and says how to continue', async () => {
      const started = program.start(issue('--title', 'Later'));
      const [, id] = await started.until(/approvals\/(apr_[\w-]+)\?/);
      started.interrupt();
      const { code, stderr } = await started.ended;
      expect(code).toBe(130);
      const [flag, key] = /(--idempotency-key) (\S+)/.exec(stderr)!.slice(1) as [string, string];
      await decide(product.api, id!, 'approve');
      expect(await json(issue('--title', 'Later', flag, key))).toMatchObject({ output: { number: 7 } });
    });
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

describe('drawbridge logs', () => {
  const logs = (...more: string[]): string[] => ['logs', ...inWorkspace(), ...more];

  it('lists the newest executions last, by integration and status', async () => {
    await cli(issue('--title', 'First'));
    github.on(ISSUES, { status: 422, body: { message: 'No' } });
    await cli(issue('--title', 'Second'));
    const { executions } = await json(logs('--limit', '2'));
    expect(executions.map(({ status }: any) => status)).toEqual(['success', 'failed']);
    expect((await cli(logs('--limit', '1'))).stdout).toMatch(/^\S+Z {2}failed {3}github\.create_issue .+\n$/);
    for (const status of ['success', 'failed']) {
      const found = (await json(logs('--status', status, '--integration', 'github'))).executions;
      expect(new Set(found.map((one: any) => one.status))).toEqual(new Set([status]));
    }
    expect((await json(logs('--integration', 'slack'))).executions).toEqual([]);
    expect((await cli(logs('--integration', 'slak'))).stderr).toContain('Did you mean slack?');
  });

  it('continues with new executions, each on a line and once, until Ctrl+C', async () => {
    const started = program.start(logs('--follow', '--json', '--limit', '1'));
    await started.until(/\n/);
    const before = (await json(logs('--limit', '100'))).executions.length;
    for (const title of ['A', 'B', 'C']) await cli(issue('--title', title));
    const printed = (): any[] =>
      started
        .stdout()
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text));
    await eventually(async () => expect(printed().length).toBe(4));
    await cli(issue('--title', 'D'));
    await eventually(async () => expect(printed().length).toBe(5));
    started.interrupt();
    expect((await started.ended).code).toBe(130);
    const { executions } = await json(logs('--limit', '100'));
    expect(executions.length).toBe(before + 4);
    expect(
      printed()
        .slice(1)
        .map(({ id }) => id),
    ).toEqual(executions.slice(-4).map(({ id }: any) => id));
  });
});

describe('drawbridge triggers', () => {
  it('lists the triggers of a workspace', async () => {
    const { id } = await simulatedTrigger(product.api, own);
    expect((await cli(['triggers', 'list', ...inWorkspace()])).stdout).toMatch(
      new RegExp(`^${id} {2}github\\.push `, 'm'),
    );
    expect((await json(['triggers', 'list', ...inWorkspace()])).triggers).toContainEqual(
      expect.objectContaining({ id }),
    );
  });
});

describe('drawbridge triggers listen', () => {
  const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  let receiver: FakeProvider;
  beforeAll(async () => {
    receiver = await fakeProvider();
    const { workspaceId } = own;
    await product.api.post(`/api/v1/workspaces/${workspaceId}/integrations`, { integrationName: 'http' });
  });
  beforeEach(() => {
    receiver.reset();
    receiver.on('POST /events', { status: 204 });
  });
  afterAll(() => receiver.stop());

  const OWN_TRIGGER = ['--integration', 'http', '--trigger-name', 'catch_hook'];
  const listen = (which: string[], options?: CliOptions) =>
    program.start(['triggers', 'listen', ...which, '--forward', `${receiver.url}/events`, '--json'], options);
  const listenToOwn = (options?: CliOptions) => listen([...OWN_TRIGGER, ...inWorkspace()], options);
  const linesOf = ({ stdout }: Started): any[] =>
    stdout()
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text));
  const post = async (url: string, body: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(200);
  };
  const ofTrigger = async (): Promise<string[]> =>
    (await json(['triggers', 'list', ...inWorkspace()])).triggers.map(({ id }: any) => id);
  const payloads = (): unknown[] => receiver.requests.map(({ body }) => (body as any).payload.body);

  it('enables a trigger, forwards its events signed and in order, and disables it at Ctrl+C', async () => {
    const started = listenToOwn();
    const [, id, webhook] = await started.until(/Enabled trigger (\S+) at (\S+)/);
    const [, secret] = await started.until(/SIGNING_SECRET=(whsec_\S+)/);
    await started.until(/Forwarding/);
    expect(await ofTrigger()).toContain(id);
    for (let order = 1; order <= 3; order++) await post(webhook!, { order });
    await eventually(async () => expect(linesOf(started).length).toBe(3));
    expect(payloads()).toEqual([{ order: 1 }, { order: 2 }, { order: 3 }]);
    expect(linesOf(started)).toEqual(Array(3).fill(expect.objectContaining({ status: 204, error: null })));
    for (const { headers, text } of receiver.requests) {
      const event = new Webhook(secret!).verify(text, headers as Record<string, string>) as any;
      expect(event).toMatchObject({ triggerSourceId: id, id: headers['webhook-id'] });
      const { 'x-svc-signature': ours } = headers;
      expect(await verifyWebhook({ headers: { 'x-svc-signature': ours }, body: text }, { secret: secret! })).toEqual(
        event,
      );
      expect(headers).toMatchObject({ 'x-svc-trigger': id, 'x-svc-attempt': '1', 'content-type': 'application/json' });
    }
    started.interrupt();
    expect(await started.ended).toMatchObject({ code: 130, stderr: expect.stringContaining(`Disabled trigger ${id}`) });
    expect(await ofTrigger()).not.toContain(id);
    expect(receiver.requests.length).toBe(3);
  });

  it('is started as docs/triggers.md shows', async () => {
    const { slug } = (await product.api.get(`/api/v1/workspaces/${own.workspaceId}`)).body.workspace;
    const [block = ''] = commandsOfProgram('triggers');
    const shown = block.replace('acme', slug).replace('http://localhost:4000', receiver.url);
    const started = program.start(shown.trim().split(/\s+/).slice(2));
    const [, webhook] = await started.until(/Enabled trigger \S+ at (\S+)[^]*Forwarding/);
    await post(webhook!, { order: 1347 });
    await started.until(/Z {2}\S+ {2}204\n/);
    expect(payloads()).toEqual([{ order: 1347 }]);
    started.interrupt();
    expect((await started.ended).code).toBe(130);
  });

  it('disables its trigger when the system ends it, and signs with SIGNING_SECRET', async () => {
    const started = listen(
      [
        '--integration',
        'github',
        '--trigger-name',
        'push',
        '--alias',
        'gh',
        '--simulate',
        ...inWorkspace(),
        '--input',
        '{"repo": "acme/app"}',
      ],
      {
        env: { SIGNING_SECRET },
      },
    );
    await eventually(async () => expect(linesOf(started).length).toBe(1));
    const [{ headers, text }] = receiver.requests as [RecordedRequest];
    new Webhook(SIGNING_SECRET).verify(text, headers as Record<string, string>);
    const [, id] = await started.until(/Enabled trigger (\S+)/);
    started.interrupt('SIGTERM');
    const { code, stderr } = await started.ended;
    expect([code, stderr.includes('whsec_')]).toEqual([130, false]);
    expect(await ofTrigger()).not.toContain(id);
  });

  it.each([
    ['stdout', ''],
    ['stdout and stderr', '2>&1'],
  ])('disables its trigger if the reader of its %s ends, as head does', async (_, redirection) => {
    const args = [...OWN_TRIGGER, ...inWorkspace(), '--forward', `${receiver.url}/events`, '--json'].join(' ');
    const file = join(program.folder, 'code');
    rmSync(file, { force: true });
    const started = program.startShell(
      `{ drawbridge triggers listen ${args} ${redirection}; echo $? > ${file}; } | head -1`,
    );
    const [, id, webhook] = await started.until(/Enabled trigger (\S+) at (\S+)/);
    // The program detects the closed pipe only when it writes, so the test sends events until the program exits.
    await eventually(async () => {
      await fetch(webhook!, { method: 'POST' });
      expect(existsSync(file)).toBe(true);
    });
    await started.ended;
    expect(await ofTrigger()).not.toContain(id);
    expect(readFileSync(file, 'utf8')).toBe('0\n');
  });

  it('forwards only new events of an enabled trigger, and says how the receiver answered', async () => {
    const call = {
      workspaceId: own.workspaceId,
      integrationName: 'http',
      triggerName: 'catch_hook',
      callbackUrl: null,
    };
    const { triggerSource } = (await product.api.post('/api/v1/triggers/enable', call)).body;
    await post(triggerSource.webhookUrl, { order: 'old' });
    await eventually(async () => {
      const { deliveries } = (await product.api.get(`/api/v1/triggers/${triggerSource.id}/deliveries`)).body;
      expect(deliveries.length).toBe(1);
    });
    receiver.on('POST /events', { status: 503 });
    const started = listen(['--trigger', triggerSource.id]);
    await started.until(/events are not signed[^]*Forwarding/);
    await post(triggerSource.webhookUrl, { order: 1 });
    await eventually(async () => expect(linesOf(started)).toMatchObject([{ status: 503, error: null }]));
    await receiver.stop();
    await post(triggerSource.webhookUrl, { order: 2 });
    await eventually(async () => expect(linesOf(started)[1]).toMatchObject({ status: null, error: 'ECONNREFUSED' }));
    expect(payloads()).toEqual([{ order: 1 }]);
    expect(receiver.requests[0]!.headers).not.toHaveProperty('webhook-signature');
    started.interrupt();
    expect((await started.ended).code).toBe(130);
    expect(await ofTrigger()).toContain(triggerSource.id);
    receiver = await fakeProvider();
  });

  it.each([
    [[], 'Pass either --trigger, or --integration'],
    [['--trigger', 'x', ...OWN_TRIGGER], 'Pass either --trigger, or --integration'],
    [['--integration', 'http'], '--trigger-name is missing'],
    [[...OWN_TRIGGER, '--forward', 'ftp://localhost'], '--forward was given twice'],
  ])('refuses %j as wrong usage', async (which, message) => {
    expect(await listen(which).ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('refuses a wrong secret without repeating it, and a receiver that is no URL', async () => {
    const wrong = await listenToOwn({ env: { SIGNING_SECRET: 'whsec_short' } }).ended;
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('SIGNING_SECRET must be') });
    expect(wrong.stderr).not.toContain('short');
    const forward = await cli(['triggers', 'listen', '--trigger', 'x', '--forward', 'localhost:3000']);
    expect(forward).toMatchObject({ code: 2, stderr: expect.stringContaining('--forward must be') });
  });

  it('is refused for an unknown trigger', async () => {
    expect((await listen(['--trigger', UNKNOWN_ID]).ended).code).toBe(1);
  });
});

describe('drawbridge mcp add', () => {
  let serverId: string;
  let endpoint: string;
  const endUserId = `agent-${process.pid}`;
  beforeAll(async () => {
    const { workspaceId } = own;
    await product.api.post('/api/v1/end-users', { workspaceId, externalId: endUserId });
    const { server } = await newServer(product.api, workspaceId, {
      name: 'Acme: tools!',
      authMode: 'oauth_and_bearer',
    });
    [serverId, endpoint] = [server.id, server.mcpEndpoint];
  });
  const add = (of: string, ...more: string[]): string[] => ['mcp', 'add', of, '--server', serverId, ...more];
  const read = (path: string): any => JSON.parse(readFileSync(join(program.folder, path), 'utf8'));
  const modeOf = (path: string): number => statSync(join(program.folder, path)).mode & 0o777;
  const tokensOf = async (id: string): Promise<number> =>
    (await product.api.get(`/api/v1/mcp/servers/${id}/tokens`)).body.total;

  it('writes a new file for this user alone, with a token that works and is not printed', async () => {
    const { code, stdout, stderr } = await cli(add('cursor', '--end-user', endUserId, '--json'));
    expect({ code, printed: JSON.parse(stdout) }).toEqual({
      code: 0,
      printed: { program: 'cursor', name: 'acme-tools', file: '.cursor/mcp.json' },
    });
    const { url, headers } = read('.cursor/mcp.json').mcpServers['acme-tools'];
    expect(url).toBe(endpoint);
    expect(stdout + stderr).not.toContain(headers.Authorization.slice('Bearer '.length));
    expect(modeOf('.cursor/mcp.json')).toBe(0o600);
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(200);
  });

  it('merges into a file, without a token for a server with OAuth, and replaces only its own entry', async () => {
    const before = { inputs: [{ id: 'a' }], servers: { other: { type: 'stdio', command: 'x' } } };
    mkdirSync(join(program.folder, '.vscode'), { recursive: true });
    writeFileSync(join(program.folder, '.vscode/mcp.json'), JSON.stringify(before, null, '\t'), { mode: 0o644 });
    for (let time = 0; time < 2; time++) expect((await cli(add('vscode', '--name', 'acme'))).code).toBe(0);
    const acme = { type: 'http', url: endpoint };
    expect(read('.vscode/mcp.json')).toEqual({ ...before, servers: { ...before.servers, acme } });
    expect(readFileSync(join(program.folder, '.vscode/mcp.json'), 'utf8')).toContain('\n\t"servers"');
    expect(modeOf('.vscode/mcp.json')).toBe(0o644);
    const refused = await cli(add('vscode', '--name', 'other'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another server with the name other') });
  });

  it('makes a file readable by this user alone before it writes a token', async () => {
    writeFileSync(join(program.folder, '.vscode/mcp.json'), '{}');
    chmodSync(join(program.folder, '.vscode/mcp.json'), 0o644);
    expect((await cli(add('vscode', '--end-user', endUserId))).code).toBe(0);
    expect(read('.vscode/mcp.json').servers['acme-tools'].headers.Authorization).toMatch(/^Bearer mcp_/);
    expect(modeOf('.vscode/mcp.json')).toBe(0o600);
  });

  it('revokes the token if the file cannot be written', async () => {
    const cwd = join(program.folder, 'unwritable');
    mkdirSync(cwd);
    symlinkSync('missing/folder', join(cwd, '.cursor'));
    const before = await tokensOf(serverId);
    const refused = await cli(add('cursor', '--end-user', endUserId), { cwd });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ENOENT') });
    expect(await tokensOf(serverId)).toBe(before);
  });

  it.each(['// comment\n{}', '[]', '{"servers": []}', ''])('refuses the file %j and issues no token', async (text) => {
    writeFileSync(join(program.folder, '.vscode/mcp.json'), text);
    const before = await tokensOf(serverId);
    const { code, stderr } = await cli(add('vscode', '--end-user', endUserId));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/is not JSON|must be a JSON object/) });
    expect(readFileSync(join(program.folder, '.vscode/mcp.json'), 'utf8')).toBe(text);
    expect(await tokensOf(serverId)).toBe(before);
  });

  it('runs claude if it is installed, prints the command otherwise, and gives a token in a file only', async () => {
    const bin = join(program.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const env = { PATH: `${program.bin}:${bin}` };
    const printed = await cli(add('claude'), { env });
    expect(printed).toMatchObject({ code: 0, stdout: `claude mcp add --transport http acme-tools ${endpoint}\n` });
    const claude = (code: number) =>
      writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "$*" > ${bin}/given\necho said\nexit ${code}\n`, {
        mode: 0o755,
      });
    claude(0);
    const added = await cli(add('claude', '--json'), { env });
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('said') });
    expect(JSON.parse(added.stdout)).toEqual({ program: 'claude', name: 'acme-tools' });
    expect(readFileSync(join(bin, 'given'), 'utf8')).toBe(`mcp add --transport http acme-tools ${endpoint}\n`);
    claude(3);
    expect(await cli(add('claude'), { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exit code 3'),
    });
    rmSync(join(bin, 'given'));
    expect(await json(add('claude', '--end-user', endUserId), { env })).toEqual({
      program: 'claude',
      name: 'acme-tools',
      file: '.mcp.json',
    });
    const { headers, ...server } = read('.mcp.json').mcpServers['acme-tools'];
    expect([server, headers.Authorization]).toEqual([
      { type: 'http', url: endpoint },
      expect.stringMatching(/^Bearer mcp_\S+$/),
    ]);
    expect([modeOf('.mcp.json'), existsSync(join(bin, 'given'))]).toEqual([0o600, false]);
  });

  it('asks for an end user only if the server needs a token', async () => {
    const { workspaceId } = own;
    const { server: bearer } = await newServer(product.api, workspaceId, { authMode: 'bearer' });
    const { server: oauth } = await newServer(product.api, workspaceId, { authMode: 'oauth' });
    const refusals = [
      await cli(['mcp', 'add', 'cursor', '--server', bearer.id]),
      await cli(['mcp', 'add', 'cursor', '--server', oauth.id, '--end-user', endUserId]),
      await cli(['mcp', 'add', 'cursor', '--server', oauth.id, '--name', '../x']),
    ];
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(refusals.map(({ stderr }) => /--end-user is missing|accepts no tokens|--name must be/.test(stderr))).toEqual(
      [true, true, true],
    );
  });
});

describe('drawbridge generate', () => {
  it('writes the types of the catalog, over its own file only', async () => {
    expect(await json(['generate'])).toEqual({ file: 'drawbridge.ts' });
    const text = readFileSync(join(program.folder, 'drawbridge.ts'), 'utf8');
    expect(text).toContain('    create_issue: {\n');
    expect((await cli(['generate'])).code).toBe(0);
    const printed = (await cli(['generate', '--out', '-', '--integration', 'github'])).stdout;
    expect([printed.includes('  github: {\n'), printed.includes('  slack: {\n')]).toEqual([true, false]);
    writeFileSync(join(program.folder, 'mine.ts'), 'export {};');
    const refused = await cli(['generate', '--out', 'mine.ts']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not generated') });
    expect(readFileSync(join(program.folder, 'mine.ts'), 'utf8')).toBe('export {};');
  });
});
