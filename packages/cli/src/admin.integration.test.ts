import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';
import { cli } from './testing/cli.js';

const { parent, DATA_DIR, start, run, admin, remove } = cli();
afterAll(remove);

it('replays the events of a service, or lists the allowed values', async () => {
  const product = await start();
  await product.stop();
  const replay = (service: string, from: string) => admin(['events', 'replay', '--service', service, '--from', from]);
  const { code, document } = await replay('members', '2026-01-01T00:00:00Z');
  expect({ code, document }).toEqual({
    code: 0,
    document: { service: 'members', from: expect.stringMatching(/Z$/), events: expect.any(Number) },
  });
  expect(document.events).toBeGreaterThan(0);
  const refused = await replay('gateway', 'yesterday');
  expect(refused).toMatchObject({ code: 1, document: { code: 'VALIDATION_ERROR' } });
  expect(Object.keys(refused.document.details.fields)).toEqual(['--service', '--from']);
});

// If the user is not root, the database is inside its DATA_DIR and is deleted with it.
const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

itAsRoot('lists and removes the database of a deleted DATA_DIR, and no other', async () => {
  const folder = join(parent, 'deleted');
  await (await startPostgres({ dataDir: folder })).stop();
  const listed = async (): Promise<any[]> => (await admin(['data', 'list'])).document.databases;
  expect((await listed()).filter(({ dataDir }) => [folder, DATA_DIR].includes(dataDir))).toEqual([]);
  rmSync(folder, { recursive: true });
  const [found] = (await listed()).filter(({ dataDir }) => dataDir === folder);
  expect(found).toMatchObject({ bytes: expect.any(Number), isInUse: false });
  const remove = () => admin(['data', 'remove', '--name', found.name]);
  expect(await remove()).toMatchObject({ code: 0, document: { removed: [{ name: found.name, dataDir: folder }] } });
  expect(await remove()).toMatchObject({ code: 1, document: { code: 'NOT_FOUND' } });
  expect((await listed()).map(({ name }) => name)).not.toContain(found.name);
});

it('prints a link that signs a user in once', async () => {
  const product = await start();
  const { port } = new URL(product.baseUrl);
  const { code, document } = await admin(['user', 'sign-in-link', '--email', 'Owner@localhost'], { PORT: port });
  expect({ code, document }).toEqual({
    code: 0,
    document: { signInLink: { email: 'owner@localhost', minutes: 15, url: expect.stringContaining(product.baseUrl) } },
  });
  expect(await (await fetch(document.signInLink.url)).text()).toContain('owner@localhost');
  const unknown = await admin(['user', 'sign-in-link', '--email', 'bob@acme.example']);
  expect(unknown).toMatchObject({ code: 1, document: { code: 'NOT_FOUND' } });
  expect(unknown.document.error).toBe('No user has the email bob@acme.example. To create one: admin user create');
  const wrong = await admin(['user', 'sign-in-link', '--email', 'unknown']);
  expect(wrong).toMatchObject({ code: 1, document: { code: 'VALIDATION_ERROR' } });
  await product.stop();
});

it('prints its help without a command', async () => {
  expect(await run(['admin'])).toEqual({ code: 0, output: expect.stringMatching(/^Usage: drawbridge admin/) });
});
