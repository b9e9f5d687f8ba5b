import { randomBytes } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type Db } from './database.js';
import { envelope } from './envelope-encryption.js';
import { connections } from './index.js';
import { requireMasterKeys, samplesForEachKey } from './require-master-keys.js';
import { keepCredentials, plainKeys } from './testing/keep-credentials.js';

const key = () => randomBytes(32).toString('base64');
const [A, B] = [key(), key()];

let close: () => Promise<void>;
let database: Database<Db>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(connections)));
afterAll(() => close());

function start(keys: string): Promise<void> {
  const masters = plainKeys(keys);
  return requireMasterKeys(database.pool, masters, envelope(masters));
}

describe('the master keys at the start', () => {
  it('accepts any value while nothing is stored', async () => {
    await start(`k1:${A}`);
  });

  it('must hold every one that was used', async () => {
    await keepCredentials(database, plainKeys(`k1:${A}`));
    await keepCredentials(database, plainKeys(`k2:${B}`));
    await start(`k2:${B},k1:${A}`);
    await expect(start(`k2:${B}`)).rejects.toThrow('MASTER_KEYS: key k1 is missing:');
    await expect(start(`k3:${B}`)).rejects.toThrow('MASTER_KEYS: key k1 is missing, key k2 is missing:');
  });

  it('must be the ones of that name', async () => {
    await expect(start(`k2:${key()},k1:${A}`)).rejects.toThrow('key k2 has a different value');
  });

  it('are checked with more than one row, so that one changed row does not stop the start', async () => {
    const changed = `UPDATE connections.connections SET org_id = gen_random_uuid() WHERE id =
      (SELECT id FROM connections.connections WHERE master_key_id = 'k3' ORDER BY id LIMIT 1)`;
    await keepCredentials(database, plainKeys(`k3:${A}`), 2);
    await database.pool.query(changed);
    await start(`k2:${B},k1:${A},k3:${A}`);
    await expect(start(`k2:${B},k1:${A},k3:${B}`)).rejects.toThrow('key k3 has a different value');
    await database.pool.query(`DELETE FROM connections.connections WHERE master_key_id = 'k3'`);
  });

  it('are found without reading the table', async () => {
    for (let part = 0; part < 10; part++) await database.pool.query(TEN_THOUSAND_MORE, [part]);
    await database.pool.query('ANALYZE connections.connections');
    const sql = samplesForEachKey({ name: 'connections.connections' });
    const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(100);
  });
});

/** Inserts 10,000 rows. The test runs it ten times, because one statement for all rows would exceed the statement timeout of 10 s. */
const TEN_THOUSAND_MORE = `
  INSERT INTO connections.connections (id, org_id, external_id, display_name, integration_name, type, scope, scope_id, updated_at,
    sealed, wrapped_key, master_key_id)
  SELECT gen_random_uuid(), org_id, 'x' || $1::int || '.' || n, display_name, integration_name, type, scope, scope_id, updated_at,
    sealed, wrapped_key, master_key_id
  FROM connections.connections CROSS JOIN generate_series(1, 10000) n WHERE master_key_id = 'k1' AND external_id = 'x'`;
