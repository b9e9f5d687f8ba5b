import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VARIABLES } from './variables.js';

const CLI = join(import.meta.dirname, '../dist/main.js');
const SERVICES = join(import.meta.dirname, '../../../services');
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-configuration-'));
const file = join(folder, 'a-file');
beforeAll(() => writeFileSync(file, 'no JSON'));
afterAll(() => rmSync(folder, { recursive: true }));

const PORTS = 'must be a whole number from 0 to 65535';
const HOSTS = 'must be an IP address or a host name';
const TARGETS = 'must be dns:///host:port, or ipv4:address:port with more after commas';
const MASTER = 'entry 1 must be id:key, the key 32 bytes in base64';

const HIDDEN =
  /^(INTERNAL_KEY|DATABASE_URL|REDIS_URL|MASTER_KEYS|BOOTSTRAP_API_KEY|ORIGIN_MAP|OIDC_PROVIDERS|SMTP_URL)$/;

/** Every variable: two wrong values, and what is said of each. Of a secret the value is not. */
const CASES: Record<string, [value: string, allowed: string][]> = {
  PORT: [
    ['8080abc', PORTS],
    ['70000', PORTS],
  ],
  HOST: [
    ['localhost:80', HOSTS],
    ['127.0.0', HOSTS],
  ],
  GRPC_PORT: [
    ['99999', PORTS],
    ['80.5', PORTS],
  ],
  GRPC_HOST: [
    ['*', HOSTS],
    ['a b', HOSTS],
  ],
  MEMBERS_ADDR: [
    ['members', TARGETS],
    ['ipv4:1.2.3:1', TARGETS],
  ],
  CATALOG_ADDR: [
    ['http://a:1', TARGETS],
    ['dns:///a', TARGETS],
  ],
  CONNECTIONS_ADDR: [
    ['a:0', TARGETS],
    ['a:1,b:1', TARGETS],
  ],
  EXECUTION_ADDR: [
    [':1', TARGETS],
    ['ipv4:1.2.3.4', TARGETS],
  ],
  INTERNAL_KEY: [
    ['hush', 'must be at least 32 characters'],
    ['hush'.repeat(7), 'must be at least 32'],
  ],
  TRUST_PROXY: [
    ['-3', 'from 0 to 100'],
    ['yes', 'from 0 to 100'],
  ],
  PUBLIC_RATE_LIMIT: [
    ['0', 'or null'],
    ['-', 'or null'],
  ],
  REDIS_URL: [
    ['cache:6379', 'must be redis://host:6379'],
    ['http://u:hush@h', 'must be redis://host:6379'],
  ],
  CONNECTIONS_PER_ADDRESS: [
    ['0', 'or null'],
    ['many', 'or null'],
  ],
  BASE_URL: [
    ['foo', 'must be a URL such as'],
    ['a:b', 'must be a URL such as'],
  ],
  DATA_DIR: [
    [file, 'must be a folder'],
    [join(file, 'in-it'), 'must be a folder'],
  ],
  DATABASE_URL: [
    ['foo', 'must be postgresql://'],
    ['mysql://u:hush@h/d', 'must be postgresql://'],
  ],
  KAFKA_BROKERS: [
    ['kafka', 'must be host:port'],
    ['a:1;b:1', 'host:port'],
  ],
  MASTER_KEYS: [
    ['hush', MASTER],
    [`k1:${'hush'.repeat(5)}`, MASTER],
  ],
  BOOTSTRAP_API_KEY: [
    ['hush', 'must be svc_ and'],
    ['svc_hush', 'must be svc_ and at least 20'],
  ],
  RUN_LOG_DAYS: [
    ['0', 'must be a whole number from 1 to 3650'],
    ['90 days', 'must be a whole number from 1 to 3650'],
  ],
  PLANS_FILE: [
    [join(folder, 'absent'), 'is not a readable file'],
    [file, 'does not hold JSON'],
  ],
  SMTP_URL: [
    ['hush', 'must be smtp://'],
    ['https://ann:hush@mail.acme.example', 'must be smtp://'],
  ],
  MAIL_FROM: [
    ['nobody', 'must be an email address'],
    ['Acme <a@b@c>', 'must be an email address'],
  ],
  ORIGIN_MAP: [
    ['{"a": "http://u:hush@b"}', '"a" is not an http or https origin'],
    ['/absent', '"/absent" is neither a JSON object nor the path of a readable file'],
  ],
  OIDC_PROVIDERS: [
    ['{"acme": {"issuer": "https://u:hush@h"}}', 'acme.issuer must be an https URL'],
    ['/absent/hush', 'must be a JSON object, or the path of a file that holds one'],
  ],
  EGRESS_ALLOW: [
    ['10.0.0.0/99', 'is not a CIDR, an address or a host name'],
    ['a:99999', 'is not a CIDR, an address or a host name'],
  ],
  LOG_LEVEL: [
    ['loud', 'must be one of trace, debug, info, warn, error'],
    ['INFO', 'must be one of trace'],
  ],
};

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

it('takes a flag as it takes the variable', async () => {
  const { code, output } = await run(CLI, ['start', '--port', 'x', '--data-dir', file]);
  expect(code).toBe(1);
  expect(output).toContain('  PORT="x": must be');
  expect(output).toContain('  DATA_DIR=');
});

it.each([
  ['gateway', ['INTERNAL_KEY']],
  ['members', ['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_BROKERS']],
  ['catalog', ['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_BROKERS']],
  ['connections', ['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_BROKERS', 'MASTER_KEYS']],
  ['execution', ['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_BROKERS']],
])('says what %s needs in a process of its own, and no stack', async (service, names) => {
  const { code, output } = await run(join(SERVICES, service, 'dist/main.js'), []);
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
