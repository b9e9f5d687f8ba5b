import { LIMITS } from './limits.js';
import { fromArchive, isFileName, type MountChanges, toArchive } from './mount-files.js';
import { memoryMount } from './testing/memory-mounts.js';

const change = (written: Record<string, string>, deleted: string[] = []): MountChanges => ({
  written: new Map(Object.entries(written).map(([name, text]) => [name, Buffer.from(text)])),
  deleted,
});

async function textsOf(key: string): Promise<Record<string, string>> {
  return Object.fromEntries([...(await memoryMount(key).read())].map(([name, bytes]) => [name, bytes.toString()]));
}

it('lets the later run decide whether a path is a file or a folder', async () => {
  const mount = memoryMount('conflicts');
  await mount.write(change({ 'a/b': '1', 'ab/c': '1' }));
  await mount.write(change({ a: '2' }));
  expect(await textsOf('conflicts')).toEqual({ a: '2', 'ab/c': '1' });
  await mount.write(change({ 'a/c': '3' }, ['ab/c']));
  expect(await textsOf('conflicts')).toEqual({ 'a/c': '3' });
});

it('refuses more than fits and keeps what was there', async () => {
  const mount = memoryMount('full');
  await mount.write(change({ kept: '1' }));
  const many = Object.fromEntries(Array.from({ length: LIMITS.inodes }, (_, index) => [`f${index}`, '']));
  await expect(mount.write(change(many))).rejects.toMatchObject({ code: 'MOUNT_LIMIT' });
  const large = { written: new Map([['large', Buffer.alloc(LIMITS.mountBytes)]]), deleted: [] };
  await expect(mount.write(large)).rejects.toThrow('Delete files first');
  expect(await textsOf('full')).toEqual({ kept: '1' });
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
