import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = join(import.meta.dirname, 'new-piece.mjs');
const create = (...args) => promisify(execFile)(process.execPath, [SCRIPT, ...args]);

let folder;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'drawbridge-new-piece-'))));
afterAll(() => rm(folder, { recursive: true }));

/** The tests of packages/pieces/template show that the template passes. A copy differs from it only in the names. */
it('copies the template under another name', async () => {
  const { stdout } = await create('google-tasks', folder);
  expect(stdout).toContain('pnpm unit packages/pieces');
  const template = join(import.meta.dirname, '../packages/pieces/template/acme');
  const files = async (root) => (await readdir(root, { recursive: true })).sort();
  const copies = (await files(template)).map((file) => file.replace('acme', 'google-tasks')).sort();
  expect(await files(join(folder, 'google-tasks'))).toEqual(copies);
  const index = await readFile(join(folder, 'google-tasks/index.ts'), 'utf8');
  for (const text of ['const googleTasks = piece({', "name: 'google-tasks'", "displayName: 'Google Tasks'"])
    expect(index).toContain(text);
  for (const file of copies.filter((one) => one.endsWith('.ts'))) {
    expect(await readFile(join(folder, 'google-tasks', file), 'utf8')).not.toMatch(/acme/i);
  }
});

it.each(['', 'Google', '../x', 'a--b', 'x y'])('refuses the name %j', async (name) => {
  await expect(create(name, folder)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pnpm new-piece NAME'),
  });
});

it('leaves an existing folder', async () => {
  await create('taken', folder);
  await expect(create('taken', folder)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('exists') });
});
