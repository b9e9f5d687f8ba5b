import { newId } from '@drawbridge/contracts';
import { aside, database, query } from '../testing/spaces.js';
import { sweepClaims } from './claims.js';

const leases = { has: () => false, hold: () => Promise.reject(new Error('Nothing is run here')) as never };

async function lapse(run: (ids: { id: string; orgId: string }) => unknown): Promise<string> {
  const [id, orgId] = [newId(), newId()];
  await query(
    `INSERT INTO execution.claims (execution_id, org_id, key, request_hash, workspace_id, run, lease_until, expires_at)
     SELECT $1::uuid, $2::uuid, 'k', '', $2::uuid, $3, now() - interval '1 minute', now() + interval '1 day'`,
    [id, orgId, JSON.stringify(run({ id, orgId }))],
  );
  return id;
}

it('settles the other runs if the stored state of one cannot be read', async () => {
  const bad = await lapse(() => null);
  const good = await lapse(({ id, orgId }) => ({
    ...{ id, orgId, workspaceId: orgId, userId: orgId, requestId: 'r', input: 1, createdAt: new Date() },
    ...{ source: 'rest', integrationName: 'github', actionName: 'comment' },
  }));
  await sweepClaims(database.pool, leases, aside);
  const { rows } = await query('SELECT execution_id AS id FROM execution.claims WHERE outcome IS NOT NULL', []);
  expect(rows).toEqual([{ id: good }]);
  expect(aside.keys()).toEqual([bad]);
});
