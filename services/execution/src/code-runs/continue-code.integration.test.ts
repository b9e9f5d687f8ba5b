import { newId } from '@drawbridge/contracts';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { CALLS, executed, processes, RESULT, row, start, untilPaused, world } from '../testing/paused-runs.js';
import { query } from '../testing/spaces.js';

async function endings(): Promise<object[]> {
  const sql = `SELECT envelope FROM execution.outbox WHERE org_id = $1 AND type = 'code_run.ended'`;
  const { rows } = await query(sql, [world.orgId]);
  return rows.map(({ envelope }) => Envelope.decode(envelope).payload!.value);
}

describe('a paused run', () => {
  it('continues in another process, with its variables, iterators and promises, and repeats no call', async () => {
    const approval = await untilPaused(start());
    await processes[0]!.stop();
    expect(executed()).toEqual(CALLS.slice(0, 3));
    world.gate.approveAll();
    const { result, console, calls } = await start().continue(approval);
    expect(result).toEqual(RESULT);
    expect(console.map(({ text }) => text)).toEqual([1, 2, 3, 4, 5].map((n) => `after ${n}`));
    expect(calls.map(({ path, status }) => `${path} ${status}`)).toEqual(
      CALLS.map((call) => `bank.${call.split(' ')[0]} success`),
    );
    expect(executed()).toEqual(CALLS);
    expect(world.quota).toBe(1);
    expect(world.gate.approvals.map(({ status }) => status)).toEqual(['consumed']);
  });

  it('keeps texts that PostgreSQL cannot store', async () => {
    const code = `const odd = 'a\\0b\\ud800'; console.log(odd); await svc.bank.pay({ n: 1 }); return [odd]`;
    const approval = await untilPaused(start(), code);
    world.gate.approveAll();
    const { result, console } = await start().continue(approval);
    expect(result).toMatchObject({ $case: 'completed', value: { valueJson: expect.stringContaining('a\\u0000b') } });
    expect(console).toHaveLength(1);
    expect(await start().continue(approval)).toMatchObject({ result, console });
  });

  it('returns its stored result again, in any process', async () => {
    const approval = await untilPaused(start());
    world.gate.approveAll();
    const first = await processes[0]!.continue(approval);
    expect(await start().continue(approval)).toEqual(JSON.parse(JSON.stringify(first)));
    expect(executed()).toEqual(CALLS);
    expect(await row()).toMatchObject({ status: 'ended', sealed: null, data_key_id: null });
  });

  it('waits while the approval is pending, and returns the calls made so far', async () => {
    const process = start();
    const approval = await untilPaused(process);
    const { result, calls, console } = await process.continue(approval);
    expect(result).toMatchObject({ $case: 'waiting', value: { isNew: false, approvals: [{ id: approval }] } });
    expect(calls.map(({ status }) => status)).toEqual(['success', 'success', 'success', 'pending']);
    expect(console).toHaveLength(2);
  });

  it('stays open until the decision, for the requested time', async () => {
    const process = start();
    const approval = await untilPaused(process);
    setTimeout(() => world.gate.approveAll(), 500);
    expect((await process.continue(approval, { waitSeconds: 10 })).result).toEqual(RESULT);
  });

  it('is continued by the next request, not by the wait, if the caller must be authorized again', async () => {
    const process = start();
    const approval = await untilPaused(process);
    setTimeout(() => world.gate.approveAll(), 500);
    const how = { waitSeconds: 10, returnsReady: true };
    expect((await process.continue(approval, how)).result).toEqual({ $case: 'ready', value: {} });
    expect(executed()).toEqual(CALLS.slice(0, 3));
    expect((await process.continue(approval, how)).result).toEqual(RESULT);
  });

  it('ends a wait at its time limit, and when its caller disconnects', async () => {
    const process = start();
    const approval = await untilPaused(process);
    const startedAt = performance.now();
    expect((await process.continue(approval, { waitSeconds: 1 })).result?.$case).toBe('waiting');
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    const failing = process.continue(approval, { waitSeconds: 60, signal: AbortSignal.timeout(200) });
    await expect(failing).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('answers at once beside 100 other waits of the organization', async () => {
    const process = start();
    const approval = await untilPaused(process);
    const leaving = Array.from({ length: 100 }, () => new AbortController());
    const held = leaving.map(({ signal }) =>
      process.continue(approval, { waitSeconds: 60, signal }).catch(() => undefined),
    );
    const startedAt = performance.now();
    expect((await process.continue(approval, { waitSeconds: 60 })).result?.$case).toBe('waiting');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    for (const one of leaving) one.abort();
    await Promise.all(held);
  });

  it('reports several pending approvals in turn, the oldest first', async () => {
    const process = start();
    const code = 'return (await Promise.all([1, 2].map((n) => svc.bank.pay({ n })))).map(({ n }) => n)';
    const { result } = await process.execute(code);
    const ids = world.gate.approvals.map(({ id }) => id);
    expect(result).toMatchObject({ value: { approvals: ids.map((id) => ({ id })) } });
    world.gate.decide(ids[0]!, 'approved');
    expect((await process.continue(ids[0]!)).result).toMatchObject({
      value: { approvals: [{ id: ids[1] }], isNew: false },
    });
    world.gate.decide(ids[1]!, 'approved');
    expect((await process.continue(ids[0]!)).result).toMatchObject({
      $case: 'completed',
      value: { valueJson: '[1,2]' },
    });
    expect((await process.continue(ids[1]!)).result).toMatchObject({ $case: 'completed' });
    expect(world.executed.sort()).toEqual(['pay 1', 'pay 2']);
  });

  it('queues calls above the slots, and requests 50 approvals at a time', async () => {
    const process = start();
    const many = 'return (await Promise.all(Array.from({ length: 120 }, (_, n) => svc.bank.read({ n })))).length';
    expect((await process.execute(many)).result).toMatchObject({ value: { valueJson: '120' } });
    const gated = 'return (await Promise.all(Array.from({ length: 60 }, (_, n) => svc.bank.pay({ n })))).length';
    const first = await untilPaused(process, gated);
    expect(world.gate.approvals).toHaveLength(50);
    world.gate.approveAll();
    expect((await process.continue(first)).result).toMatchObject({ $case: 'waiting', value: { isNew: true } });
    expect(world.gate.approvals).toHaveLength(60);
    world.gate.approveAll();
    expect((await process.continue(first)).result).toMatchObject({ value: { valueJson: '60' } });
    expect(world.executed.filter((call) => call.startsWith('pay'))).toHaveLength(60);
  }, 60_000);

  it('pauses again at the next call that needs an approval', async () => {
    const process = start();
    const first = await untilPaused(process, 'await svc.bank.pay({ n: 1 }); await svc.bank.pay({ n: 2 }); return 1');
    world.gate.approveAll();
    const { result } = await process.continue(first);
    const second = world.gate.approvals[1]!.id;
    expect(result).toMatchObject({ $case: 'waiting', value: { isNew: true, approvals: [{ id: second }] } });
    world.gate.approveAll();
    expect((await process.continue(first)).result).toMatchObject({ $case: 'completed' });
    expect(world.executed).toEqual(['pay 1', 'pay 2']);
  });

  it.each([
    ['rejected', 'APPROVAL_REJECTED', 'was rejected: too much'],
    ['canceled', 'APPROVAL_CANCELED', 'was canceled: too much'],
    ['expired', 'APPROVAL_EXPIRED', 'was not decided in time'],
  ])('ends when its approval is %s, and names the calls that were made', async (status, code, message) => {
    const process = start();
    const approval = await untilPaused(process);
    world.gate.decide(approval, status, status === 'expired' ? undefined : 'too much');
    const { result } = await process.continue(approval);
    expect(result).toMatchObject({ $case: 'failed', value: { code, details: { approvalId: approval } } });
    expect(result).toMatchObject({ value: { message: expect.stringContaining(message) } });
    expect(result).toMatchObject({ value: { message: expect.stringContaining('bank.read (success)') } });
    expect((await process.continue(approval)).result).toMatchObject({ value: { code } });
    expect(executed()).toEqual(CALLS.slice(0, 3));
  });

  it('publishes its end once, with the workspace, so that its other approvals are canceled', async () => {
    const process = start();
    const approval = await untilPaused(process);
    expect(await endings()).toEqual([]);
    world.gate.approveAll();
    await Promise.all([process.continue(approval), start().continue(approval)]);
    await process.continue(approval);
    expect(await endings()).toEqual([{ codeRunId: (await row()).id, workspaceId: world.workspaceId }]);
  });

  it('ends when the tools changed', async () => {
    const process = start();
    const approval = await untilPaused(process);
    world.gate.approveAll();
    world.surfaceHash = 'other';
    expect((await process.continue(approval)).result).toMatchObject({
      $case: 'failed',
      value: { code: 'SURFACE_CHANGED' },
    });
    expect(executed()).toEqual(CALLS.slice(0, 3));
  });

  it('is found only with its organization, workspace, server and end user', async () => {
    const process = start();
    const approval = await untilPaused(process);
    const others = [
      { orgId: newId() },
      { workspaceId: newId() },
      { mcpServerId: 'x' },
      { endUserId: 'x' },
      { endUserId: '' },
      { endUserRecordId: 'x' },
    ];
    for (const other of others) {
      await expect(process.continue(approval, other)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: `Approval ${approval} not found`,
      });
    }
    await expect(process.continue('apr_absent')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is continued by one of two processes, and both return the result', async () => {
    const approval = await untilPaused(start());
    world.gate.approveAll();
    const results = await Promise.all([
      processes[0]!.continue(approval),
      start().continue(approval),
      start().continue(approval),
    ]);
    expect(results.map(({ result }) => result)).toEqual([RESULT, RESULT, RESULT]);
    expect(executed()).toEqual(CALLS);
  }, 30_000);
});
