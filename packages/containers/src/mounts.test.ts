import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from './limits.js';
import { fromArchive, isFileName, toArchive } from './mount-files.js';
import { folderMounts } from './mounts.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mounts-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const change = (written: Record<string, string>, deleted: string[] = []) => ({
  written: new Map(Object.entries(written).map(([name, text]) => [name, Buffer.from(text)])),
  deleted,
});

async function textsOf(key: string, mounts = folderMounts(folder)): Promise<Record<string, string>> {
  return Object.fromEntries([...(await mounts.read(key))].map(([name, bytes]) => [name, bytes.toString()]));
}

it('keeps files by key, and names no key in the folder', async () => {
  const mounts = folderMounts(folder);
  await mounts.write('org/a@example.com', change({ 'x.txt': '1', 'd/ü': '2' }));
  await mounts.write('org/a@example.com', change({ 'x.txt': '3' }, ['d/ü']));
  expect(await textsOf('org/a@example.com')).toEqual({ 'x.txt': '3' });
  expect(await textsOf('org/b@example.com')).toEqual({});
  expect(readdirSync(folder, { recursive: true }).join()).not.toContain('example');
});

it('loses no change of concurrent runs', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  // Each has its own state, like another process.
  await Promise.all(names.map((name) => folderMounts(folder).write('key', change({ [name]: name }))));
  expect(Object.keys(await textsOf('key')).sort()).toEqual(names.sort());
});

it('lets the later run decide whether a path is a file or a folder', async () => {
  const mounts = folderMounts(folder);
  await mounts.write('key', change({ 'a/b': '1' }));
  await mounts.write('key', change({ a: '2' }));
  expect(await textsOf('key')).toEqual({ a: '2' });
  await mounts.write('key', change({ 'a/c': '3' }));
  expect(await textsOf('key')).toEqual({ 'a/c': '3' });
});

it('refuses more than fits and keeps what was there', async () => {
  const mounts = folderMounts(folder);
  await mounts.write('key', change({ kept: '1' }));
  const many = Object.fromEntries(Array.from({ length: LIMITS.inodes }, (_, index) => [`f${index}`, '']));
  await expect(mounts.write('key', change(many))).rejects.toMatchObject({ code: 'MOUNT_LIMIT' });
  const large = { written: new Map([['large', Buffer.alloc(LIMITS.mountBytes)]]), deleted: [] };
  await expect(mounts.write('key', large)).rejects.toThrow('Delete files first');
  expect(await textsOf('key')).toEqual({ kept: '1' });
});

it.each(['a', 'a/b', '.hidden', 'ü', 'a b', '...'])('accepts the file name %j', (name) => {
  expect(isFileName(name)).toBe(true);
});

it.each(['', '/a', '../a', 'a/../b', 'a//b', './a', 'a/', 'a\u0000', 'a\nb', '..\\a', 'x'.repeat(1025)])(
  'ignores an entry with the name %j',
  (name) => expect(isFileName(name)).toBe(false),
);

it('reads back what it writes as an archive', async () => {
  const { written } = change({ a: '', ['d/'.repeat(120) + 'e']: 'x'.repeat(10_000) });
  expect(await fromArchive(await toArchive(written))).toEqual(written);
  await expect(fromArchive(Buffer.alloc(700, 1))).rejects.toThrow();
});
