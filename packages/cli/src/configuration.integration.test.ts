import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';
import { wrongValues } from './testing/wrong-values.js';
import { VARIABLES } from './variables.js';

const CLI = process.env['DRAWBRIDGE_CLI']!;
const FOLDERS = join(import.meta.dirname, '../../../services');
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-configuration-'));
const file = join(folder, 'a-file');
beforeAll(() => writeFileSync(file, 'no JSON'));
afterAll(() => rmSync(folder, { recursive: true }));

const HIDDEN =
  /^(INTERNAL_KEY|DATABASE_URL|REDIS_URL|MASTER_KEYS|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|BOOTSTRAP_API_KEY|ORIGIN_MAP|OAUTH_APPS|RISK_MODEL_URL|RISK_MODEL_KEY|OIDC_PROVIDERS|SMTP_URL)$/;

const OIDC = JSON.stringify({ acme: { issuer: 'https://id.example', clientId: 'a', clientSecret: 'hush' } });

const CASES = wrongValues(folder, file);

it('has a case for every variable', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(VARIABLES).sort());
});

it.each([0, 1])(
  'names every invalid variable at once with the allowed values, and starts nothing (%#)',
  async (turn) => {
    const wrong = Object.entries(CASES).map(([name, cases]) => [name, ...cases[turn]!] as const);
    const before = readdirSync(folder);
    const { code, output } = await run(CLI, ['start'], Object.fromEntries(wrong));
    expect(code).toBe(1);
    const [head, ...lines] = output.trimEnd().split('\n');
    expect(head).toBe('Invalid configuration:');
    for (const [name, value, allowed] of wrong) {
      const line = lines.find((one) => new RegExp(`^  ${name}\\b`).test(one));
      expect(line).toContain(HIDDEN.test(name) ? `  ${name}: ` : `  ${name}=${JSON.stringify(value)}: `);
      expect(line).toContain(allowed);
    }
    expect(lines).toHaveLength(wrong.length);
    expect(output).not.toContain('hush');
    expect(readdirSync(folder)).toEqual(before);
  },
);

it('names the address of an unreachable database, and writes nothing', async () => {
  const DATA_DIR = join(folder, 'data');
  const env = { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/product', DATA_DIR };
  const { code, output } = await run(CLI, ['start', '--port', '0'], env);
  expect(code).toBe(1);
  expect(output).toContain('DATABASE_URL: 127.0.0.1:1/product cannot be opened: connect ECONNREFUSED');
  expect(output).not.toContain('hush');
  expect(existsSync(DATA_DIR)).toBe(false);
});

it.each([
  ['mail without its sender', { SMTP_URL: 'smtp://ann:hush@127.0.0.1:1' }, ['MAIL_FROM', 'BASE_URL']],
  ['sign-in elsewhere without an address to come back to', { OIDC_PROVIDERS: OIDC }, ['BASE_URL']],
])('writes nothing when it is given %s', async (_what, env, missing) => {
  const [variable] = Object.keys(env);
  const DATA_DIR = join(folder, 'incomplete');
  const { code, output } = await run(CLI, ['start', '--port', '0'], { ...env, DATA_DIR });
  const lines = missing.map((name) => `  ${name}: is required with ${variable}`);
  expect({ code, output }).toEqual({ code: 1, output: `Invalid configuration:\n${lines.join('\n')}\n` });
  expect(existsSync(DATA_DIR)).toBe(false);
});

it('writes nothing when its port is taken, and prints one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const DATA_DIR = join(folder, 'taken');
  const { code, output } = await run(CLI, ['start', '--port', String(port)], { DATA_DIR });
  taken.close();
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^PORT: ${port} is taken on 127.0.0.1. Give another, or 0 for a free one.*\n$`));
  expect(existsSync(DATA_DIR)).toBe(false);
});

it('writes nothing when a piece of INTEGRATIONS_DIR cannot be loaded', async () => {
  const INTEGRATIONS_DIR = join(folder, 'pieces');
  mkdirSync(INTEGRATIONS_DIR);
  writeFileSync(join(INTEGRATIONS_DIR, 'broken.mjs'), 'export default');
  const DATA_DIR = join(folder, 'without-pieces');
  const { code, output } = await run(CLI, ['start', '--port', '0'], { DATA_DIR, INTEGRATIONS_DIR });
  expect(code).toBe(1);
  expect(output).toContain('broken.mjs');
  expect(existsSync(DATA_DIR)).toBe(false);
});

it('accepts a flag in place of its variable', async () => {
  const { code, output } = await run(CLI, ['start', '--port', 'x', '--data-dir', file]);
  expect(code).toBe(1);
  expect(output).toContain('  PORT="x": must be');
  expect(output).toContain('  DATA_DIR=');
});

it.each(SERVICES)('names what %s needs in a separate process, without a stack', async (service) => {
  const names = SERVICE_TABLE[service].hasDatabase
    ? ['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_BROKERS']
    : ['INTERNAL_KEY'];
  if (service === 'connections') names.push('MASTER_KEYS');
  const { code, output } = await run(join(FOLDERS, service, 'dist/main.js'), []);
  expect(code).toBe(1);
  const [head, ...lines] = output.trimEnd().split('\n');
  expect(head).toBe('Invalid configuration:');
  expect(lines.sort()).toEqual(names.map((name) => `  ${name}: is required`));
});

/** Runs in a separate folder, so that the test can find files that a start creates by default. */
function run(script: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
    const child = execFile(process.execPath, [script, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}
