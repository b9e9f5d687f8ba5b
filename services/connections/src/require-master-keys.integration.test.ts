import { randomBytes, randomUUID } from 'node:crypto';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type Db } from './database.js';
import { envelope } from './envelope-encryption.js';
import { connections } from './index.js';
import { readMasterKeys } from './master-keys.js';
import { ONE_FOR_EACH_KEY, requireMasterKeys } from './require-master-keys.js';

const key = () => randomBytes(32).toString('base64');
const [A, B] = [key(), key()];

let close: () => Promise<void>;
let database: Database<Db>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(connections)));
afterAll(() => close());

function start(keys: string): Promise<void> {
  const masters = readMasterKeys(keys);
  return requireMasterKeys(database.pool, masters, envelope(masters));
}

async function keepCredentialUnder(keys: string): Promise<void> {
  const owner = { orgId: randomUUID(), kind: 'connection', id: randomUUID() } as const;
  const sealed = envelope(readMasterKeys(keys)).seal('secret', owner);
  const rest = {
    externalId: 'x',
    displayName: 'X',
    integrationName: 'github',
    type: 'SECRET_TEXT',
    scope: 'ORGANIZATION',
  };
  const data = { id: owner.id, orgId: owner.orgId, scopeId: owner.orgId, ...rest, ...sealed };
  await database.db.connection.create({ data });
}

describe('the master keys at the start', () => {
  it('may be any as long as nothing is stored', async () => {
    await start(`k1:${A}`);
  });

  it('must hold every one that was used', async () => {
    await keepCredentialUnder(`k1:${A}`);
    await keepCredentialUnder(`k2:${B}`);
    await start(`k2:${B},k1:${A}`);
    await expect(start(`k2:${B}`)).rejects.toThrow('MASTER_KEYS: key k1 is missing:');
    await expect(start(`k3:${B}`)).rejects.toThrow('MASTER_KEYS: key k1 is missing, key k2 is missing:');
  });

  it('must be the ones of that name', async () => {
    await expect(start(`k2:${key()},k1:${A}`)).rejects.toThrow('key k2 is not the one of that name that was used');
  });

  it('are found without reading the table', async () => {
    for (let part = 0; part < 10; part++) await database.pool.query(TEN_THOUSAND_MORE, [part]);
    await database.pool.query('ANALYZE connections.connections');
    const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${ONE_FOR_EACH_KEY}`);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(100);
  });
});

/** A tenth of what there shall be: a statement has 10 s. */
const TEN_THOUSAND_MORE = `
  INSERT INTO connections.connections (id, org_id, external_id, display_name, integration_name, type, scope, scope_id, updated_at,
    sealed, wrapped_key, master_key_id)
  SELECT gen_random_uuid(), org_id, 'x' || $1::int || '.' || n, display_name, integration_name, type, scope, scope_id, updated_at,
    sealed, wrapped_key, master_key_id
  FROM connections.connections CROSS JOIN generate_series(1, 10000) n WHERE master_key_id = 'k1' AND external_id = 'x'`;
