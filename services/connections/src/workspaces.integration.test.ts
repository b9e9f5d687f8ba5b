import { randomUUID } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PoolClient } from 'pg';
import { type Db } from './database.js';
import { connections } from './index.js';
import { emptyWorkspace } from './workspaces.js';

let close: () => Promise<void>;
let database: Database<Db>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(connections)));
afterAll(() => close());

const [orgId, workspaceId] = [randomUUID(), randomUUID()];

async function keep(scope: string): Promise<string> {
  const bytes = Buffer.alloc(1);
  const names = { externalId: scope, displayName: 'X', integrationName: 'github', type: 'SECRET_TEXT' };
  const sealed = { sealed: bytes, wrappedKey: bytes, masterKeyId: 'k1' };
  const scopeId = scope === 'WORKSPACE' ? workspaceId : orgId;
  const data = { ...names, ...sealed, orgId, workspaceId, scope, scopeId, status: 'ACTIVE' };
  return (await database.db.connection.create({ data })).id;
}

async function inTransaction<T>(work: (tx: PoolClient) => Promise<T>): Promise<T> {
  const tx = await database.pool.connect();
  try {
    await tx.query('BEGIN');
    const result = await work(tx);
    await tx.query('COMMIT');
    return result;
  } finally {
    tx.release(true);
  }
}

it('empties a workspace while its organization deletes a connection that was made there, and neither waits in a circle', async () => {
  await keep('WORKSPACE');
  const id = await keep('ORGANIZATION');
  await inTransaction(async (deleting) => {
    await deleting.query('SELECT FROM connections.connections WHERE id = $1 FOR UPDATE', [id]);
    expect(await inTransaction((tx) => emptyWorkspace(tx, workspaceId, 500))).toBe(1);
    await deleting.query('DELETE FROM connections.connections WHERE id = $1', [id]);
  });
  expect(await inTransaction((tx) => emptyWorkspace(tx, workspaceId, 500))).toBe(0);
  expect(await database.db.connection.count({ where: { orgId } })).toBe(0);
});

it('keeps the connections of the organization', async () => {
  await keep('WORKSPACE');
  const id = await keep('ORGANIZATION');
  let turns = 0;
  while ((await inTransaction((tx) => emptyWorkspace(tx, workspaceId, 500))) > 0) turns++;
  expect(turns).toBe(2);
  const left = await database.db.connection.findMany({ where: { orgId } });
  expect(left.map((row) => [row.id, row.workspaceId])).toEqual([[id, null]]);
});
