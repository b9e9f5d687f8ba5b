import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError, type HostFunction, openSandbox, type Sandbox } from './index.js';

interface Attempt {
  group: string;
  name: string;
  /** The environment in which the attempt succeeds, which proves that it is effective: a node:vm context with objects of the process, or a module. */
  control: 'vm' | 'module';
  /** The code of an earlier run of another organization. */
  first?: string;
  code: string;
}

const FIXTURES = join(import.meta.dirname, 'fixtures');
const ATTEMPTS: Attempt[] = JSON.parse(readFileSync(join(FIXTURES, 'escapes.json'), 'utf8'));
const FLAGS = {
  env: 'flag-env-4d1f',
  file: 'flag-file-88a2',
  global: 'flag-global-c0de',
  error: 'flag-error-5e11',
  run: 'flag-run-7f3b',
  polluted: 'flag-polluted',
};
const ANY_FLAG = /flag-/;

let folder: string;
let file: string;
let sandbox: Sandbox;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  file = join(folder, 'planted.txt');
  writeFileSync(file, FLAGS.file);
  process.env['PLANTED_FLAG'] = FLAGS.env;
  Object.assign(globalThis, { plantedFlag: FLAGS.global });
  sandbox = openSandbox({ workers: 2 });
});

afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
  delete process.env['PLANTED_FLAG'];
});

it('has at least 120 attempts, none twice', () => {
  expect(ATTEMPTS.length).toBeGreaterThanOrEqual(120);
  expect(new Set(ATTEMPTS.map(({ first, code }) => `${first}${code}`)).size).toBe(ATTEMPTS.length);
});

describe('without the sandbox', () => {
  it.concurrent.each(ATTEMPTS)('$name reaches a flag', async (attempt) => {
    expect(await outputWithoutSandbox(attempt)).toMatch(ANY_FLAG);
  });
});

describe('in the sandbox', () => {
  it.each(ATTEMPTS)('$name reaches nothing', async ({ first, code }) => {
    if (first) await run(first, 'another', { flag: FLAGS.run });
    const outcome = await run(code, 'acme');
    // Some attempts contain the flag that they write to a prototype, so the flag in their output proves nothing.
    if (!code.includes(FLAGS.polluted)) expect(JSON.stringify(outcome)).not.toMatch(ANY_FLAG);
    expect([{}, [], () => 1].map((object) => Reflect.get(object, 'polluted'))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    const next = await run('return [{}, [], () => 1].map((object) => object.polluted ?? object.kept ?? 0);', 'acme');
    expect(next).toMatchObject({ status: 'completed', value: [0, 0, 0] });
  });

  it('shows no path of the host in stacks', async () => {
    const outcome = await run('return [new Error("x").stack, await fail().catch(({ stack }) => stack)];', 'acme');
    expect(JSON.stringify(outcome)).not.toMatch(/file:|node:|\/work|\.js:\d+:\d+\)?\\n.*dist/);
    expect(JSON.stringify(outcome)).not.toContain(process.cwd());
  });
});

function run(code: string, organization: string, more: object = {}) {
  const echo: HostFunction = async ({ args }) => ({ args: args.length, list: [] });
  const functions: Record<string, HostFunction> = {
    f: echo,
    fail: async () => {
      throw new Error(`The database refused ${FLAGS.error}`);
    },
    refuse: async () => {
      throw new HostError('Refused');
    },
    'svc.*': echo,
  };
  const input = { file, list: [1, 2], text: 'text', nested: { a: 1 }, ...more };
  return sandbox.run({ organization, code, input, functions, limits: { cpuMs: 2_000, wallMs: 2_000 } });
}

async function outputWithoutSandbox(attempt: Attempt): Promise<string> {
  const env = { ...process.env, PLANTED_FLAG: FLAGS.env };
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [join(FIXTURES, 'without-sandbox.cjs')],
      { env, timeout: 30_000 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(JSON.stringify({ attempt, flags: FLAGS, file }));
  });
}
