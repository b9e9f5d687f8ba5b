import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAbandoned, removeAbandoned } from './abandoned.js';

const HASH = '0123456789abcdef';
/** The DATA_DIR of the command, which does not exist. */
const CURRENT = '/nonexistent';

let parent: string;
let outside: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'abandoned-'));
  outside = join(parent, 'outside');
  mkdirSync(outside);
});
afterEach(() => rmSync(parent, { recursive: true }));

/** Creates a database folder that records `dataDir` as its owner. */
function database(name: string, dataDir?: string): string {
  const folder = join(outside, name);
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(join(folder, 'data/base'), 'x'.repeat(1_000));
  if (dataDir !== undefined) writeFileSync(join(folder, 'data-dir'), dataDir);
  return folder;
}

function dataDir(name: string, leadsTo?: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  if (leadsTo !== undefined) symlinkSync(leadsTo, join(folder, 'postgres'));
  return folder;
}

const names = (): string[] => listAbandoned(CURRENT, outside).map(({ name }) => name);

it('is nothing where no database was ever made outside', () => {
  expect(listAbandoned(CURRENT, join(parent, 'absent'))).toEqual([]);
  expect(removeAbandoned(CURRENT, undefined, join(parent, 'absent'))).toEqual([]);
});

it('lists the database of a deleted DATA_DIR with its size, and removes it', () => {
  const gone = join(parent, 'gone');
  const folder = database(HASH, gone);
  const expected = { name: HASH, dataDir: gone, bytes: 1_000 + gone.length, isInUse: false };
  expect(listAbandoned(CURRENT, outside)).toEqual([expected]);
  expect(removeAbandoned(CURRENT, undefined, outside)).toEqual([expected]);
  expect(existsSync(folder)).toBe(false);
  expect(names()).toEqual([]);
});

it('lists databases replaced by a newer one of the same DATA_DIR, and never the newer one', () => {
  const folder = database(HASH);
  const path = dataDir('data', folder);
  writeFileSync(join(folder, 'data-dir'), path);
  database(`${HASH}.1700000000000`, path);
  database(`${HASH}.1600000000000`);
  expect(names().sort()).toEqual([`${HASH}.1600000000000`, `${HASH}.1700000000000`]);
  removeAbandoned(CURRENT, undefined, outside);
  expect(existsSync(join(path, 'postgres/data/base'))).toBe(true);
});

it('never lists the database of a DATA_DIR that was moved to where the command looks', () => {
  const folder = database(HASH, join(parent, 'before'));
  const moved = dataDir('after', folder);
  expect(listAbandoned(moved, outside)).toEqual([]);
  expect(removeAbandoned(moved, undefined, outside)).toEqual([]);
  expect(existsSync(folder)).toBe(true);
});

it('leaves folders without a note and folders that are not databases', () => {
  const kept = [database(HASH), join(outside, 'postgresql-18')];
  mkdirSync(kept[1]!);
  expect(removeAbandoned(CURRENT, undefined, outside)).toEqual([]);
  expect(kept.map((folder) => existsSync(folder))).toEqual([true, true]);
});

it('removes the rest of an interrupted command', () => {
  database(`${HASH}.removing`);
  expect(removeAbandoned(CURRENT, undefined, outside)).toHaveLength(1);
  expect(names()).toEqual([]);
});

it.each([undefined, HASH])('removes a database beside the rest of an interrupted command: %s', (only) => {
  database(`${HASH}.removing`);
  database(HASH, join(parent, 'gone'));
  expect(removeAbandoned(CURRENT, only, outside)).not.toEqual([]);
  expect(names()).toEqual([]);
});

it('removes one by its name alone', () => {
  database(HASH, join(parent, 'a'));
  database('f'.repeat(16), join(parent, 'b'));
  expect(removeAbandoned(CURRENT, HASH, outside)).toHaveLength(1);
  expect(removeAbandoned(CURRENT, '0'.repeat(16), outside)).toEqual([]);
  expect(names()).toEqual(['f'.repeat(16)]);
});

it('never removes one on which a server runs, although its DATA_DIR is gone', async () => {
  const folder = database(HASH, join(parent, 'gone'));
  const data = join(folder, 'data');
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { cwd: data, stdio: 'ignore' });
  await once(server, 'spawn');
  writeFileSync(join(data, 'postmaster.pid'), `${server.pid}\n`);
  expect(listAbandoned(CURRENT, outside)).toMatchObject([{ name: HASH, isInUse: true }]);
  expect(removeAbandoned(CURRENT, undefined, outside)).toEqual([]);
  server.kill('SIGKILL');
  await once(server, 'exit');
  expect(removeAbandoned(CURRENT, undefined, outside)).toHaveLength(1);
});
