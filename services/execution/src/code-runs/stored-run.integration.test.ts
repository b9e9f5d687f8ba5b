import { randomBytes } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { inTransaction } from '@drawbridge/events';
import { emptyWorkspace, retentionRules } from '../retention.js';
import { forgetEndUsers } from '../state/purge-state.js';
import { CALLS, executed, processes, row, set, start, untilPaused, world } from '../testing/paused-runs.js';
import { database, query } from '../testing/spaces.js';
import { openRun, sealRun, toDataKey } from './seal-run.js';

describe('the stored state', () => {
  it('has no plaintext of the program or its data', async () => {
    const secret = 'canary-3f9a';
    const approval = await untilPaused(
      start(),
      `const kept = '${secret}'; await svc.bank.pay({ n: 1 }); return kept.length`,
    );
    const { rows } = await query('SELECT code_runs::text AS text FROM execution.code_runs WHERE org_id = $1', [
      world.orgId,
    ]);
    expect(rows[0].text).not.toContain(secret);
    expect(rows[0].text).not.toContain(Buffer.from(secret).toString('hex'));
    world.gate.approveAll();
    expect((await processes[0]!.continue(approval)).result).toMatchObject({ value: { valueJson: '11' } });
  });

  it.each([
    ['changed', 'sealed = set_byte(sealed, 100, 255 - get_byte(sealed, 100))'],
    ['truncated', 'sealed = substr(sealed, 1, length(sealed) - 1)'],
    ['cut to nothing', `sealed = ''`],
    ['of another run', 'id = gen_random_uuid()'],
  ])('never opens if it is %s', async (_what, assignment) => {
    const process = start();
    const approval = await untilPaused(process);
    world.gate.approveAll();
    if (assignment.startsWith('id')) world.gate.approvals.length = 0;
    await set(assignment);
    const { result } = await process.continue(approval);
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'SNAPSHOT_DAMAGED' } });
    expect(executed()).toEqual(CALLS.slice(0, 3));
  });

  it('never opens in the row of another workspace, or with another key', async () => {
    const process = start();
    const approval = await untilPaused(process);
    world.gate.approveAll();
    const workspaceId = newId();
    await set(`workspace_id = '${workspaceId}'`);
    for (const stored of world.keys.values()) stored.workspaceId = workspaceId;
    expect((await process.continue(approval, { workspaceId })).result).toMatchObject({
      value: { code: 'SNAPSHOT_DAMAGED' },
    });

    const other = await untilPaused(process);
    world.gate.approveAll();
    for (const stored of world.keys.values()) stored.key = randomBytes(32);
    expect((await process.continue(other)).result).toMatchObject({ value: { code: 'SNAPSHOT_DAMAGED' } });
  });

  it('ends a run that another version of the sandbox paused', async () => {
    const process = start();
    const approval = await untilPaused(process);
    world.gate.approveAll();
    const { id, org_id: orgId, workspace_id: workspaceId, sealed, data_key_id: keyId } = await row();
    const [key, owner] = [toDataKey(Buffer.from(world.keys.get(keyId)!.key)), { id, orgId, workspaceId }];
    const opened = openRun(sealed, key, owner);
    const snapshot = Buffer.from('snapshot' in opened ? opened.snapshot : '');
    snapshot.writeUInt16BE(999, 4);
    await query('UPDATE execution.code_runs SET sealed = $2 WHERE id = $1', [id, sealRun({ snapshot }, key, owner)]);
    const { result } = await process.continue(approval);
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'SNAPSHOT_VERSION' } });
    expect((await process.continue(approval)).result).toEqual(result);
  });

  it('ends a run with an expired key', async () => {
    const process = start();
    const approval = await untilPaused(process);
    world.gate.approveAll();
    world.keys.clear();
    expect((await process.continue(approval)).result).toMatchObject({ value: { code: 'SNAPSHOT_DAMAGED' } });
  });

  it('ends a run with a snapshot above 8 MiB', async () => {
    const noise = `const kept = []; let x = 1;
      for (let i = 0; i < 1_500_000; i++) { x = (x * 1103515245 + 12345) % 2147483648; kept.push(x + 0.5 + 1 / (i + 1)); }
      await svc.bank.pay({ n: 1 }); return kept.length`;
    const { result } = await start().execute(noise);
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'SNAPSHOT_TOO_LARGE' } });
  });

  it('takes less than 200 kB for a small program', async () => {
    await untilPaused(start());
    expect((await row()).sealed.length).toBeLessThan(200_000);
  });

  it('is deleted with its end user, and a later user with that externalId finds only later runs', async () => {
    const before = await untilPaused(start());
    const deleted = async (externalId: string, occurredAt: Date): Promise<void> => {
      const payload = { $case: 'endUserDeleted', value: { workspaceId: world.workspaceId, externalId, endUserId: '' } };
      const event = { id: newId(), orgId: world.orgId, occurredAt: occurredAt.toISOString(), traceparent: '', payload };
      await inTransaction(database.pool, (tx) => forgetEndUsers([event as never], tx));
    };
    await deleted('other', new Date());
    await deleted('u', new Date(Date.now() - 60_000));
    expect(await row()).toBeDefined();
    await deleted('u', new Date());
    expect(await row()).toBeUndefined();
    await expect(processes[0]!.continue(before)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is kept for a day after its approval expires, and deleted with its workspace', async () => {
    const approval = await untilPaused(start());
    const { expires_at: expiresAt } = await row();
    expect(expiresAt.getTime()).toBe(Date.parse(world.gate.expiresAt) + 86_400_000);
    await set(`expires_at = now()`);
    await expect(processes[0]!.continue(approval)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { table, expired } = retentionRules(90).find((rule) => rule.table === 'execution.code_runs')!;
    await query(`DELETE FROM ${table} WHERE ${expired}`, []);
    expect(await row()).toBeUndefined();

    await untilPaused(start());
    const tx = await database.pool.connect();
    while ((await emptyWorkspace(tx, world.workspaceId, 500)) > 0);
    tx.release();
    const left = await query('SELECT FROM execution.code_run_approvals WHERE org_id = $1', [world.orgId]);
    expect([await row(), left.rowCount]).toEqual([undefined, 0]);
  });
});
