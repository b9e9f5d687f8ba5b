import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';
import { wrongValues } from './testing/wrong-values.js';
import { VARIABLES } from './variables.js';

const CLI = join(import.meta.dirname, '../dist/main.js');
const FOLDERS = join(import.meta.dirname, '../../../services');
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-configuration-'));
const file = join(folder, 'a-file');
beforeAll(() => writeFileSync(file, 'no JSON'));
afterAll(() => rmSync(folder, { recursive: true }));

const HIDDEN =
  /^(INTERNAL_KEY|DATABASE_URL|REDIS_URL|MASTER_KEYS|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|BOOTSTRAP_API_KEY|ORIGIN_MAP|OAUTH_APPS|APPROVAL_MODEL_URL|APPROVAL_MODEL_KEY|OIDC_PROVIDERS|SMTP_URL)$/;

const CASES = wrongValues(folder, file);

it('has a case for every variable', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(VARIABLES).sort());
});

it.each([0, 1])('names every wrong variable at once, says what is allowed, and starts nothing (%#)', async (turn) => {
  const wrong = Object.entries(CASES).map(([name, cases]) => [name, ...cases[turn]!] as const);
  const before = readdirSync(folder);
  const { code, output } = await run(CLI, ['start'], Object.fromEntries(wrong));
  expect(code).toBe(1);
  const [head, ...lines] = output.trimEnd().split('\n');
  expect(head).toBe('Wrong configuration:');
  for (const [name, value, allowed] of wrong) {
    const line = lines.find((one) => new RegExp(`^  ${name}\\b`).test(one));
    expect(line).toContain(HIDDEN.test(name) ? `  ${name}: ` : `  ${name}=${JSON.stringify(value)}: `);
    expect(line).toContain(allowed);
  }
  expect(lines).toHaveLength(wrong.length);
  expect(output).not.toContain('hush');
  expect(readdirSync(folder)).toEqual(before);
});

it('says where it looked for a database that is away', async () => {
  const env = { DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/product', DATA_DIR: join(folder, 'data') };
  const { code, output } = await run(CLI, ['start', '--port', '0'], env);
  expect(code).toBe(1);
  expect(output).toContain('DATABASE_URL: 127.0.0.1:1/product can not be opened: connect ECONNREFUSED');
  expect(output).not.toContain('hush');
});

it('says what mail needs beside its server', async () => {
  const env = { SMTP_URL: 'smtp://ann:hush@127.0.0.1:1', DATA_DIR: join(folder, 'mail') };
  const { code, output } = await run(CLI, ['start', '--port', '0'], env);
  expect(code).toBe(1);
  for (const name of ['MAIL_FROM', 'BASE_URL']) expect(output).toContain(`  ${name}: is required with SMTP_URL`);
  expect(output).not.toContain('hush');
});

it('says what a model needs beside its endpoint', async () => {
  const env = { APPROVAL_MODEL_URL: 'https://models.example/v1', DATA_DIR: join(folder, 'model') };
  const { code, output } = await run(CLI, ['start', '--port', '0'], env);
  expect(code).toBe(1);
  expect(output).toContain('  APPROVAL_MODEL: is required with APPROVAL_MODEL_URL');
});

it('takes a flag as it takes the variable', async () => {
  const { code, output } = await run(CLI, ['start', '--port', 'x', '--data-dir', file]);
  expect(code).toBe(1);
  expect(output).toContain('  PORT="x": must be');
  expect(output).toContain('  DATA_DIR=');
});

it.each(SERVICES)('says what %s needs in a process of its own, and no stack', async (service) => {
  const names = SERVICE_TABLE[service].hasDatabase
    ? ['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_BROKERS']
    : ['INTERNAL_KEY'];
  if (service === 'connections') names.push('MASTER_KEYS');
  const { code, output } = await run(join(FOLDERS, service, 'dist/main.js'), []);
  expect(code).toBe(1);
  const [head, ...lines] = output.trimEnd().split('\n');
  expect(head).toBe('Wrong configuration:');
  expect(lines.sort()).toEqual(names.map((name) => `  ${name}: is required`));
});

/** In a folder of its own: what a start writes by default would be seen there. */
function run(script: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'], ...env } };
    const child = execFile(process.execPath, [script, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}
