import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runningPostgres, startPostgres } from './index.js';
import { type RunningPostgres } from './start-postgres.js';
import { identify } from './processes.js';

/** The parent folder is only accessible to its owner, so if the test runs as root, the server user cannot access it. */
const parent = mkdtempSync(join(tmpdir(), 'drawbridge-'));
const dataDir = join(parent, 'data');
let server: RunningPostgres;

beforeAll(() => chmodSync(parent, 0o700));
afterEach(() => server.stop());
afterAll(async () => {
  await (await startPostgres({ dataDir })).discard();
  rmSync(parent, { recursive: true });
});

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it('keeps committed data over a stop and a start', async () => {
  server = await startPostgres({ dataDir });
  await query(server.url, "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('Grüße')");
  await server.stop();

  server = await startPostgres({ dataDir });
  expect(await query(server.url, 'SELECT word, upper(word) FROM kept')).toEqual([{ word: 'Grüße', upper: 'GRÜßE' }]);
});

it('never relaxes durability', async () => {
  server = await startPostgres({ dataDir });
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    expect(await query(server.url, `SHOW ${setting}`)).toEqual([{ [setting]: 'on' }]);
  }
});

it('asks for the password and shows it to the owner alone', async () => {
  server = await startPostgres({ dataDir });
  const stranger = new URL(server.url);
  stranger.password = 'guess';

  await expect(query(stranger.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  expect(statSync(join(dataDir, 'runtime.json')).mode & 0o777).toBe(0o600);
});

it('has the address of the server only while it runs', async () => {
  server = await startPostgres({ dataDir });
  expect(runningPostgres(dataDir)).toBe(server.url);

  await Promise.all([server.stop(), server.stop()]);
  expect(runningPostgres(dataDir)).toBeUndefined();
  expect(existsSync(join(dataDir, 'runtime.json'))).toBe(false);
});

it('refuses a data directory that a living process uses', async () => {
  server = await startPostgres({ dataDir });
  await expect(startPostgres({ dataDir })).rejects.toThrow(`Process ${process.pid} uses this data directory`);
});

it('ends the server that a killed process left behind, and keeps its data', async () => {
  const entry = join(import.meta.dirname, '../dist/index.js');
  const source = `const { startPostgres } = await import(process.argv[1]);
    const { url } = await startPostgres({ dataDir: process.argv[2] }); console.log(url); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, entry, dataDir]);
  const [url] = await once(child.stdout, 'data');
  await query(String(url).trim(), 'CREATE TABLE orphaned ()');
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8'));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(identify(pid)).toBeDefined();

  server = await startPostgres({ dataDir });
  expect(identify(pid)).toBeUndefined();
  expect(await query(server.url, 'SELECT * FROM orphaned')).toEqual([]);
});

it('restarts a crashed server at the same address with the committed data', async () => {
  const said: string[] = [];
  server = await startPostgres({ dataDir, say: (line) => said.push(line) });
  await query(server.url, 'CREATE TABLE survived ()');
  const pid = killServer();

  await eventually(async () => expect(await query(server.url, 'SELECT * FROM survived')).toEqual([]));
  expect(serverPid()).not.toBe(pid);
  expect(said.at(-1)).toMatch(/ended by itself \(SIGKILL\); starting it again/);
});

it('stops restarting a server that crashes repeatedly, reports its exit, and can be started again', async () => {
  server = await startPostgres({ dataDir });
  let end: string | undefined;
  void server.exited.then((how) => (end = how));
  while (end === undefined) {
    killServer();
    await sleep(20);
  }
  expect(end).toContain('SIGKILL');
  await server.stop();

  server = await startPostgres({ dataDir });
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('is stopped for good while it waits to start again', async () => {
  server = await startPostgres({ dataDir });
  killServer();
  await server.stop();
  await server.exited;
  expect(runningPostgres(dataDir)).toBeUndefined();
});

it('names the remedy for a database of another version', async () => {
  server = await startPostgres({ dataDir });
  await server.stop();
  const file = join(realpathSync(join(dataDir, 'postgres')), 'data/PG_VERSION');
  const version = readFileSync(file, 'utf8');
  writeFileSync(file, '9\n');
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    /has a database of PostgreSQL 9, .* or set another DATA_DIR/,
  );
  writeFileSync(file, version);
});

function serverPid(): number {
  return JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')).pid;
}

/** Kills the server as the kernel's out-of-memory killer does. Between a crash and the restart there is no process to kill. */
function killServer(): number {
  const pid = serverPid();
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
  return pid;
}

async function eventually(check: () => Promise<void>, giveUpAt = Date.now() + 20_000): Promise<void> {
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(50);
    }
  }
}
