// Shapes: none; in full: local
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiOf, misspelt } from './support/api.js';
import { cli, json, product, program, useGithubCli } from './support/github-cli.js';
import { newOrganization } from './support/organizations.js';
import { SDK } from './support/packed-sdk.js';

const README = readFileSync(join(SDK, 'README.md'), 'utf8');
const COMMANDS = /<!-- command line: a test runs this block -->\s+```sh\n(.*?)```/s.exec(README)?.[1] ?? '';
const NONE = { DRAWBRIDGE_URL: '', DRAWBRIDGE_KEY: '' };

useGithubCli();

describe('the README', () => {
  it('has commands that work as printed, for a person with one workspace', async () => {
    const { plainKey } = await newOrganization(product.databaseUrl);
    const api = apiOf(product.baseUrl, plainKey);
    const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Acme', slug: `readme-${Date.now()}` })).body;
    await api.post(`/api/v1/workspaces/${workspace.id}/integrations`, { integrationName: 'hash-encode' });
    const commands = COMMANDS.replaceAll('http://127.0.0.1:8080', product.baseUrl);
    const { code, stdout, stderr } = await program.shell(commands, { env: NONE, input: plainKey });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Logged in') });
    expect(stdout).toContain('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
    expect(stdout).toMatch(/success {2}hash-encode\.hash/);
    await program.run(['logout']);
  });
});

describe('drawbridge', () => {
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
