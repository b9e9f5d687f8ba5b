import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { approvals } from '../index.js';
import { appliedEverywhere } from './policies.js';
import { knownPolicies, withDefaults } from './stored-policies.js';

let database: Database<Db>;
let close: () => Promise<void>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(approvals)));
afterAll(() => close());

async function newPolicy(orgId: string, name: string): Promise<string> {
  const data = { ...withDefaults({}), id: newId(), orgId, workspaceId: null, name, description: null };
  return (await database.db.approvalPolicy.create({ data })).id;
}

/** Reads the policies again, as the cache does after the maximum staleness. */
async function look(known: ReturnType<typeof knownPolicies>, orgId: string) {
  known.forget(orgId);
  return known.of(orgId);
}

it('is the same at another replica once a change is applied everywhere', async () => {
  const orgId = newId();
  const other = knownPolicies(database.db);
  const names = async (): Promise<string[]> => (await other.of(orgId)).inOrder.map(({ policy }) => policy.name);
  const id = await newPolicy(orgId, 'first');
  for (const name of ['second', 'third', 'fourth']) {
    await names();
    await database.pool.query('UPDATE approvals.approval_policies SET name = $2 WHERE id = $1', [id, name]);
    await appliedEverywhere();
    expect(await names()).toEqual([name]);
  }
});

it('prepares the policies of an organization again only once one of them was written', async () => {
  const [orgId, other] = [newId(), newId()];
  const id = await newPolicy(orgId, 'first');
  const known = knownPolicies(database.db);
  const names = async (): Promise<string[]> => (await look(known, orgId)).inOrder.map(({ policy }) => policy.name);
  const before = await look(known, orgId);

  await newPolicy(other, 'of another');
  expect(await look(known, orgId)).toBe(before);

  // Simulates a write of another process in the same millisecond.
  await database.pool.query('UPDATE approvals.approval_policies SET name = $2 WHERE id = $1', [id, 'renamed']);
  expect(await names()).toEqual(['renamed']);
  const second = await newPolicy(orgId, 'second');
  expect(new Set(await names())).toEqual(new Set(['renamed', 'second']));
  await database.pool.query('UPDATE approvals.approval_policies SET enabled = false WHERE id = $1', [second]);
  expect(await names()).toEqual(['renamed']);
  await database.pool.query('DELETE FROM approvals.approval_policies WHERE id = $1', [id]);
  expect(await names()).toEqual([]);
});
