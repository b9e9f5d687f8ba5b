import { type Mount, type MountChanges } from '@drawbridge/containers';
import { database, entriesOf, neighbours, open, place, query, totalOf } from '../testing/spaces.js';
import { openMount } from './mounts.js';
import { type StateSpace } from './state-space.js';

const mount = (space: StateSpace = place): Mount => openMount(database.pool, space);

const change = (written: Record<string, string | Buffer>, deleted: string[] = []): MountChanges => ({
  written: new Map(Object.entries(written).map(([name, content]) => [name, Buffer.from(content)])),
  deleted,
});

async function textsOf(space?: StateSpace): Promise<Record<string, string>> {
  return Object.fromEntries([...(await mount(space).read())].map(([name, bytes]) => [name, bytes.toString()]));
}

it('keeps the files of one scope, and their bytes', async () => {
  await mount().write(change({ 'x.txt': '1', 'd/ü "b", {}': '2' }));
  await mount().write(change({ 'x.txt': '3', empty: '' }, ['d/ü "b", {}']));
  expect(await textsOf()).toEqual({ 'x.txt': '3', empty: '' });
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  await mount().write(change({ bytes }));
  expect((await mount().read()).get('bytes')).toEqual(bytes);
});

it('has a separate key and separate files for each owner', async () => {
  const spaces = neighbours();
  expect(new Set(spaces.map((space) => mount(space).key)).size).toBe(spaces.length);
  await Promise.all(spaces.map((space, n) => mount(space).write(change({ f: `${n}` }))));
  for (const [n, space] of spaces.entries()) expect(await textsOf(space)).toEqual({ f: `${n}` });
});

it('keeps more files and bytes than one statement stores', async () => {
  const small = Object.fromEntries(Array.from({ length: 1_201 }, (_, index) => [`f${index}`, `${index}`]));
  const large = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, name.repeat(1_500_000)]));
  await mount().write(change({ ...small, ...large }));
  expect(await textsOf()).toEqual({ ...small, ...large });
});

it('loses no change of concurrent runs', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  await Promise.all(names.map((name) => mount().write(change({ [name]: name }))));
  expect(Object.keys(await textsOf()).sort()).toEqual(names.sort());
});

it('refuses files above the limit, and keeps the stored ones', async () => {
  await mount().write(change({ kept: '1' }));
  const large = change({ large: Buffer.alloc(16 * 1024 * 1024) });
  await expect(mount().write(large)).rejects.toMatchObject({ code: 'MOUNT_LIMIT' });
  expect(await textsOf()).toEqual({ kept: '1' });
});

it('counts towards the quota, belongs to its integration, and is deleted with its end user', async () => {
  await mount().write(change({ f: 'x'.repeat(3_000) }));
  expect(await totalOf(place.orgId)).toBeGreaterThan(4_000);
  expect(await open({ integration: 'storage' }).get('f')).toBeUndefined();
  await query('UPDATE execution.state_spaces SET ended_at = now() WHERE org_id = $1', [place.orgId]);
  expect(await textsOf()).toEqual({});
  await expect(mount().write(change({ g: '1' }))).rejects.toMatchObject({ name: 'StateError' });
  expect(await entriesOf(place.orgId)).toBe(1);
});
