import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '@drawbridge/postgres';
import { cli } from './testing/cli.js';

const { parent, DATA_DIR, start, admin, remove } = cli();
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

// For other users than root the database is inside its DATA_DIR, and deleted with it.
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
