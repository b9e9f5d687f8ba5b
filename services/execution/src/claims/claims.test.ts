import { type Pool } from 'pg';
import { type ClaimRow, findStoredAnswer } from './claims.js';

const { now: realNow } = performance;
afterEach(() => void (performance.now = realNow));

it('waits no longer for a claim that lapsed and cannot be settled than for any other', async () => {
  let now = 0;
  performance.now = () => now;
  const claim = { request_hash: 'h', execution_id: 'e', run: {}, outcome: null, lapsed: true } as ClaimRow;
  const pool = { query: async () => ({ rows: [claim] }) } as unknown as Pool;
  const leases = { has: () => false, hold: () => never() };
  const poller = { pool, leases, isClaimed: async () => true, nextPoll: async () => later() };
  const later = () => {
    now += 10_000;
    if (now > 100_000) throw new Error('It still waits');
    return claim;
  };
  const waited = findStoredAnswer(poller, { orgId: 'o', key: 'k', requestHash: 'h' }, new AbortController().signal);
  await expect(waited).rejects.toMatchObject({ code: 'DUPLICATE', details: { reason: 'in_progress' } });
});

function never(): never {
  throw new Error('Nothing is held');
}
