import { newId, notFound } from '@drawbridge/contracts';
import { type Pool, type QueryConfig } from 'pg';
import { database, newSource } from '../testing/sources.js';
import { addresses } from './addresses.js';

const MANY = 12;

/** Returns a pool that counts the statements that store requests, and how many of them run at once. */
function counting() {
  const counts = { stored: 0, running: 0, atOnce: 0 };
  const pool = {
    async query(statement: QueryConfig) {
      if (statement.name !== 'store-inbound') return database.pool.query(statement);
      counts.stored++;
      counts.atOnce = Math.max(counts.atOnce, ++counts.running);
      return database.pool.query(statement).finally(() => counts.running--);
    },
  };
  return { pool: pool as unknown as Pool, counts };
}

it('asks once a second for the secret of an integration with an app without one', async () => {
  let calls = 0;
  const getAppWebhookSecret = async (): Promise<never> => {
    calls += 1;
    throw notFound('App secret', 'slack');
  };
  const parts = { pool: database.pool, gatewayUrl: 'https://gateway.example', secrets: {}, vault: {} };
  const find = addresses({ ...parts, apps: { getAppWebhookSecret } } as never);
  for (let request = 0; request < 20; request += 1) expect(await find('slack', undefined)).toBeUndefined();
  expect(calls).toBeLessThanOrEqual(2);
});

it.each([
  ['a small request to a shared webhook in one statement', 1_000, { stored: 1, atOnce: 1 }],
  ['a large one on one connection, so that others have the rest of the pool', 100_000, { stored: MANY, atOnce: 1 }],
])('stores %s', async (_, bytes, expected) => {
  const [orgId, connectionId, hookId] = [newId(), newId(), newId()];
  const shared = { integrationName: 'telegram', triggerName: 'new_message', triggerType: 'WEBHOOK' };
  for (let many = 0; many < MANY; many++) await newSource({ ...shared, orgId, connectionId, hookId });
  const { pool, counts } = counting();
  const find = addresses({ pool, gatewayUrl: 'https://gateway.example', secrets: {}, vault: {}, apps: {} } as never);
  const address = await find('telegram', hookId);
  expect(address?.places).toHaveLength(MANY);
  const request = { method: 'POST', url: '/', headers: {}, body: Buffer.alloc(bytes, 'x') };
  expect(await address!.store(request, address!.places!)).toBe(true);
  expect(counts).toMatchObject(expected);
  const { rows } = await database.pool.query('SELECT FROM triggers.inbound WHERE org_id = $1', [orgId]);
  expect(rows).toHaveLength(MANY);
});
