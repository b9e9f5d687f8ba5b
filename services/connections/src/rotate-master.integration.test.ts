import { randomBytes, randomUUID } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PoolClient } from 'pg';
import { type Db } from './database.js';
import { type CredentialOwner, envelope, type SealedCredential } from './envelope-encryption.js';
import { connections } from './index.js';
import { type MasterKeys } from './master-keys.js';
import { requireMasterKeys, SEALED_TABLES } from './require-master-keys.js';
import { rotateMaster, type Rotation } from './rotate-master.js';
import { keepCredentials, plainKeys } from './testing/keep-credentials.js';

const entries = new Map(['k1', 'k2', 'k3'].map((id) => [id, `${id}:${randomBytes(32).toString('base64')}`]));
const keys = (...ids: string[]): MasterKeys => plainKeys(ids.map((id) => entries.get(id)).join(','));
/** Number of rows: more than two batches, of which the last one is not full. */
const MANY = 1_201;

let close: () => Promise<void>;
let database: Database<Db>;
let told: string[];

beforeAll(async () => void ({ database, close } = await openServiceDatabase(connections)));
afterAll(() => close());
beforeEach(async () => {
  await database.pool.query(`TRUNCATE ${SEALED_TABLES.map(({ name }) => name).join()}, connections.totals CASCADE`);
  told = [];
});

const rotate = (...ids: string[]): Promise<Rotation> =>
  rotateMaster(database.pool, keys(...ids), (line) => void told.push(line));

async function rowsById(): Promise<Map<string, SealedCredential>> {
  const columns = 'id, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"';
  const { rows } = await database.pool.query(`SELECT ${columns} FROM connections.connections`);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** Returns the ids of the rows that these master keys alone cannot decrypt. */
async function closedWith(masters: MasterKeys, owners: CredentialOwner[]): Promise<string[]> {
  const { open } = envelope(masters);
  const rows = await rowsById();
  const opens = (owner: CredentialOwner): boolean => {
    try {
      return open(rows.get(owner.id)!, owner) === owner.id;
    } catch {
      return false;
    }
  };
  return owners.filter((owner) => !opens(owner)).map(({ id }) => id);
}

/** Runs a rotation while the transaction of `hold` locks rows. */
async function whileRotationWaits(hold: (held: PoolClient) => Promise<unknown>): Promise<Rotation> {
  const held = await database.pool.connect();
  await held.query('BEGIN');
  await hold(held);
  const rotation = rotate('k2', 'k1');
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  while ((await database.pool.query(waiting)).rowCount === 0);
  await held.query('COMMIT');
  held.release();
  return rotation;
}

it('rewraps every data key with the first master key and leaves the ciphertext unchanged', async () => {
  const owners = [
    ...(await keepCredentials(database, keys('k1'), MANY)),
    ...(await keepCredentials(database, keys('k2'), 3)),
    ...(await keepCredentials(database, keys('k3'), 3)),
  ];
  const before = await rowsById();
  expect(await rotate('k3', 'k2', 'k1')).toEqual({ rewrapped: MANY + 3, remaining: 0, masterKeyId: 'k3' });

  expect(await closedWith(keys('k3'), owners)).toEqual([]);
  await requireMasterKeys(database.pool, keys('k3'), envelope(keys('k3')));
  for (const [id, { sealed }] of await rowsById()) expect(sealed.equals(before.get(id)!.sealed)).toBe(true);
  expect(told.at(-1)).toBe(`connections.connections: ${MANY + 3} of ${MANY + 3} rewrapped`);
});

it('does nothing the second time, or without rows', async () => {
  expect(await rotate('k1')).toEqual({ rewrapped: 0, remaining: 0, masterKeyId: 'k1' });
  await keepCredentials(database, keys('k1'), 5);
  await rotate('k2', 'k1');
  const once = await rowsById();
  expect(await rotate('k2', 'k1')).toEqual({ rewrapped: 0, remaining: 0, masterKeyId: 'k2' });
  expect(await rowsById()).toEqual(once);
});

it('rewraps each once when three run at once', async () => {
  const owners = await keepCredentials(database, keys('k1'), MANY);
  const rotations = await Promise.all([rotate('k2', 'k1'), rotate('k2', 'k1'), rotate('k2', 'k1')]);
  expect(rotations.reduce((sum, { rewrapped }) => sum + rewrapped, 0)).toBe(MANY);
  expect(rotations.at(-1)!.remaining).toBe(0);
  expect(await closedWith(keys('k2'), owners)).toEqual([]);
});

it('does not overwrite concurrent changes', async () => {
  const [owner] = await keepCredentials(database, keys('k1'), 1);
  const { id } = owner!;
  const { sealed, wrappedKey, masterKeyId } = envelope(keys('k2')).seal(id, owner!);
  const rotation = await whileRotationWaits((held) =>
    held.query('UPDATE connections.connections SET sealed = $2, wrapped_key = $3, master_key_id = $4 WHERE id = $1', [
      ...[id, sealed, wrappedKey, masterKeyId],
    ]),
  );
  expect(rotation).toEqual({ rewrapped: 0, remaining: 0, masterKeyId: 'k2' });
  expect((await rowsById()).get(id)).toEqual({ sealed, wrappedKey, masterKeyId });
});

it('waits for a locked row, and leaves no row under the old key', async () => {
  const owners = await keepCredentials(database, keys('k1'), 30);
  const rename = `UPDATE connections.connections SET display_name = 'Y' WHERE id = $1`;
  const rotation = await whileRotationWaits((held) => held.query(rename, [owners[7]!.id]));
  expect(rotation).toMatchObject({ rewrapped: 30, remaining: 0 });
  expect(await closedWith(keys('k2'), owners)).toEqual([]);
});

it('skips a row that is deleted concurrently', async () => {
  const owners = await keepCredentials(database, keys('k1'), 3);
  const remove = 'DELETE FROM connections.connections WHERE id = $1';
  const rotation = await whileRotationWaits((held) => held.query(remove, [owners[1]!.id]));
  expect(rotation).toMatchObject({ rewrapped: 2, remaining: 0 });
});

it('reports rows that cannot be decrypted, and continues', async () => {
  const owners = await keepCredentials(database, keys('k1'), 700);
  const [broken] = owners;
  const spoil = 'UPDATE connections.connections SET org_id = gen_random_uuid() WHERE id = $1';
  await database.pool.query(spoil, [broken!.id]);
  expect(await rotate('k2', 'k1')).toEqual({ rewrapped: 699, remaining: 1, masterKeyId: 'k2' });
  expect(told).toContain(`connections.connections: ${broken!.id} cannot be decrypted, and stays encrypted with k1`);
  expect(await closedWith(keys('k2'), owners)).toEqual([broken!.id]);
});

it('knows every table that holds something sealed', async () => {
  const { rows } = await database.pool.query(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns WHERE column_name = 'wrapped_key'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(SEALED_TABLES.map(({ name }) => name).sort());
});

it('rewraps the secrets of OAuth apps and of deleted connections with a grant to revoke', async () => {
  const [{ orgId, id }] = (await keepCredentials(database, keys('k1'))) as [CredentialOwner];
  const app = { orgId, kind: 'oauth app', id: randomUUID() } as const;
  const facts = { integrationName: 'github', placeId: orgId, clientId: 'x', isDefault: true };
  await database.db.oAuthApp.create({ data: { ...facts, id: app.id, orgId, ...envelope(keys('k1')).seal('s', app) } });
  await database.pool.query(`UPDATE connections.connections SET type = 'OAUTH2'`);
  await database.pool.query('DELETE FROM connections.connections');

  await expect(rotate('k2')).rejects.toThrow('MASTER_KEYS: key k1 is missing:');
  expect(await rotate('k2', 'k1')).toEqual({ rewrapped: 2, remaining: 0, masterKeyId: 'k2' });
  await requireMasterKeys(database.pool, keys('k2'), envelope(keys('k2')));
  const columns = 'sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"';
  const { open } = envelope(keys('k2'));
  const [secret] = (await database.pool.query(`SELECT ${columns} FROM connections.oauth_apps`)).rows;
  expect(open(secret, app)).toBe('s');
  const [grant] = (await database.pool.query(`SELECT ${columns} FROM connections.revocations`)).rows;
  expect(open(grant, { orgId, kind: 'connection', id })).toBe(id);
});

it('changes nothing while a key of stored data is missing', async () => {
  await keepCredentials(database, keys('k1'), 2);
  await keepCredentials(database, keys('k2'), 2);
  const before = await rowsById();
  await expect(rotate('k3', 'k1')).rejects.toThrow('MASTER_KEYS: key k2 is missing:');
  expect(await rowsById()).toEqual(before);
});
