import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { configuredInstances } from './configured-instances.js';
import { catalog } from './index.js';

let close: () => Promise<void>;
let database: Database<Db>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(catalog)));
afterAll(() => close());

const scope = { orgId: newId(), workspaceId: newId() };

function addIntegration(alias: string, of = scope) {
  const fields = { integrationName: 'hash-encode', connectionStrategy: 'fixed', settings: {}, sortOrder: 0 };
  return database.db.workspaceIntegration.create({ data: { ...of, ...fields, alias } });
}

function addPartial(workspaceIntegrationId: string, name: string) {
  const fields = { integrationName: 'hash-encode', values: { text: 'a' }, enforcedKeys: [], isDefault: true };
  return database.db.inputPartial.create({ data: { ...scope, ...fields, workspaceIntegrationId, name } });
}

it('reads every change of another process, and reads nothing again without one', async () => {
  const { db, pool } = database;
  const instances = configuredInstances(pool);
  const read = async () => {
    const configured = await instances.current(scope);
    return { configured, version: instances.versionOf(configured) };
  };
  const seen = [(await read()).version];
  const { id } = await addIntegration('first');
  const where = { orgId: scope.orgId, id };
  const changes: (() => Promise<unknown>)[] = [
    async () => undefined, // addIntegration above
    () => db.workspaceIntegration.updateMany({ where, data: { connectionStrategy: 'per_user' } }),
    () => addPartial(id, 'one'),
    () => addPartial(id, 'two'),
    // The times of the row stay the same.
    () => pool.query(`UPDATE catalog.input_partials SET values = '{"text":"b"}' WHERE name = 'one'`),
    () => db.inputPartial.deleteMany({ where: { orgId: scope.orgId, name: 'one' } }),
    () => addIntegration('second'),
    () => db.workspaceIntegration.deleteMany({ where }),
  ];
  for (const change of changes) {
    await change();
    const { configured, version } = await read();
    expect(seen).not.toContain(version);
    seen.push(version);
    expect((await read()).configured).toBe(configured);
  }
  await addIntegration('other', { ...scope, workspaceId: newId() });
  expect((await read()).version).toBe(seen.at(-1));
  expect((await read()).configured.map(({ instance }) => instance.alias)).toEqual(['second']);
});
