import { newId } from '@drawbridge/contracts';
import { CALLS, executed, RESULT, row, set, start, untilPaused, world } from '../testing/paused-runs.js';
import { query } from '../testing/spaces.js';

/** Number of programs that one caller may run at once. */
const SLOTS_OF_CALLER = 5;

describe('a program that waits before its start', () => {
  beforeEach(() => void (world.analysis = { predictedTools: ['bank.pay'] }));

  it('starts after the approval of its batch, in any process', async () => {
    const approval = await untilPaused(start());
    expect([world.executed, world.quota, (await row()).started_at]).toEqual([[], 0, null]);
    world.gate.approveAll();
    expect((await start().continue(approval)).result).toEqual(RESULT);
    expect(executed()).toEqual(CALLS);
    expect([world.quota, world.gate.approvals.length]).toEqual([1, 1]);
  });

  it('does not start, and is not counted, in a process that lost its lease before', async () => {
    world.analysis = { predictedTools: ['bank.pay'] };
    const process = start();
    const approval = await untilPaused(process);
    world.gate.approveAll();
    const { sandboxQuota } = process.needs.pipeline;
    const take = sandboxQuota.take.bind(sandboxQuota);
    let taken = 0;
    sandboxQuota.take = async (who) => {
      if (taken++ === 0) await set(`holder = '${newId()}', lease_until = now() + interval '1 second'`);
      return take(who);
    };
    expect((await process.continue(approval)).result).toEqual(RESULT);
    expect([taken, world.quota]).toEqual([2, 1]);
  });

  it('waits on when the quota is used up', async () => {
    const process = start();
    const approval = await untilPaused(process);
    world.gate.approveAll();
    world.quotaLeft = 0;
    await expect(process.continue(approval)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    world.quotaLeft = 1;
    expect((await process.continue(approval)).result).toEqual(RESULT);
  });
});

describe('a run of a process that dies', () => {
  const HANGING = `
    const first = await svc.bank.read({ n: 1 });
    await svc.bank.pay({ n: 2 });
    const third = await svc.bank.send({ n: 3 });
    await svc.bank.hang({ n: 4 });
    return [first.n, third.n]`;
  const DONE = { $case: 'completed', value: { valueJson: '[1,3]' } };

  /** Runs a program in a process that crashes after it executed `send`. Returns the approval with which the run continues. */
  async function dieAfterSend(code = HANGING): Promise<string> {
    const approval = await untilPaused(start(), code);
    world.gate.approveAll();
    const dying = start();
    dying.isHanging = true;
    const sent = new Promise<void>((resolve) => {
      world.onExecuted = () => void (world.executed.at(-1) === 'send 3' && setTimeout(resolve, 100));
    });
    const lost = dying.continue(approval).catch(() => undefined);
    await sent;
    await dying.crash();
    await lost;
    return approval;
  }

  it('is repeated from its snapshot, and executes no action twice', async () => {
    const approval = await dieAfterSend();
    expect((await start().continue(approval)).result).toEqual(DONE);
    expect(world.executed).toEqual(['read 1', 'pay 2', 'send 3', 'hang 4']);
    expect(world.quota).toBe(1);
  });

  it('does not advise to repeat it if the tools changed', async () => {
    const approval = await dieAfterSend();
    world.surfaceHash = 'changed';
    const { result } = await start().continue(approval);
    const message = expect.stringMatching(
      / Later actions of the run are in the run log\. Start a program that does not repeat them\.$/,
    );
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'SURFACE_CHANGED', message } });
  });

  it('is repeated from its code where it has no snapshot yet', async () => {
    world.analysis = { predictedTools: ['bank.pay'] };
    const approval = await dieAfterSend();
    expect((await start().continue(approval)).result).toEqual(DONE);
    expect(world.executed).toEqual(['read 1', 'pay 2', 'send 3', 'hang 4']);
    expect(world.quota).toBe(1);
  });

  it('restarts from its code if it never waited for approvals only', async () => {
    const dying = start();
    dying.isHanging = true;
    const lost = dying.execute(`
      const first = await svc.bank.read({ n: 1 });
      const [paid] = await Promise.all([svc.bank.pay({ n: 2 }), svc.bank.hang({ n: 3 })]);
      return [first.n, paid.n]`);
    lost.catch(() => undefined);
    while (!(await row())) await new Promise((resolve) => setTimeout(resolve, 20));
    await dying.crash();
    world.gate.approveAll();
    const { result, calls } = await start().continue(world.gate.approvals[0]!.id);
    expect(result).toMatchObject({ $case: 'completed', value: { valueJson: '[1,2]' } });
    expect(calls.map(({ path }) => path)).toEqual(['bank.read', 'bank.pay', 'bank.hang']);
    expect([...world.executed].sort()).toEqual(['hang 3', 'pay 2', 'read 1']);
    expect(world.quota).toBe(1);
  });

  it('pauses again under a key that lives as long as the run', async () => {
    const [soon, late] = [1, 720].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const { gate } = world;
    Object.defineProperty(gate, 'expiresAt', { get: () => (gate.approvals.length === 0 ? soon : late) });
    const dying = start();
    dying.isHanging = true;
    const lost = dying.execute(`
      await Promise.all([svc.bank.pay({ n: 1 }), svc.bank.pay({ n: 2 }), svc.bank.hang({ n: 3 })]);
      return svc.bank.pay({ n: 4 })`);
    lost.catch(() => undefined);
    const isStored = async () => (await row())?.expires_at > new Date(late!);
    while (!(await isStored())) await new Promise((resolve) => setTimeout(resolve, 20));
    await dying.crash();
    gate.approveAll();
    expect((await start().continue(gate.approvals[0]!.id)).result?.$case).toBe('waiting');
    const { data_key_id: keyId, expires_at: expiresAt } = await row();
    expect(Date.parse(world.keys.get(keyId)!.expiresAt)).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('ends where the program does not repeat its calls, before it executes one twice', async () => {
    const code = HANGING.replace('{ n: 3 }', '{ n: Date.now() }');
    const approval = await untilPaused(start(), code);
    world.gate.approveAll();
    const dying = start();
    dying.isHanging = true;
    const lost = dying.continue(approval).catch(() => undefined);
    while (world.executed.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await dying.crash();
    await lost;
    expect((await start().continue(approval)).result).toMatchObject({
      $case: 'failed',
      value: { code: 'INTERRUPTED' },
    });
    expect(world.executed).toHaveLength(3);
  });

  it('ends where the program has made more calls than are compared', async () => {
    const refused = `for (let left = 5_000 + 500 * Math.random(); left > 0; left--) await svc['x'.repeat(501)].a().catch(() => 0);`;
    const approval = await dieAfterSend(HANGING.replace('const third', `${refused} const third`));
    const { result } = await start().continue(approval);
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'INTERRUPTED' } });
    expect(world.executed).toEqual(['read 1', 'pay 2', 'send 3']);
  });

  it('ends where the answers of its calls may be deleted already', async () => {
    const approval = await dieAfterSend();
    await set(`lease_until = now() - interval '25 hours'`);
    expect((await start().continue(approval)).result).toMatchObject({
      $case: 'failed',
      value: { code: 'INTERRUPTED' },
    });
    expect(world.executed).toEqual(['read 1', 'pay 2', 'send 3']);
  });

  it('stops in a process that lost its lease, which returns the result of the other', async () => {
    const approval = await untilPaused(start(), HANGING);
    world.gate.approveAll();
    const slow = start();
    slow.isHanging = true;
    const losing = slow.continue(approval);
    while (!world.executed.includes('send 3')) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await set(`lease_until = now() - interval '1 minute'`);
    expect((await start().continue(approval)).result).toEqual(DONE);
    expect((await losing).result).toEqual(DONE);
    expect(world.executed).toEqual(['read 1', 'pay 2', 'send 3', 'hang 4']);
  }, 30_000);

  it('continues in the process that lost its lease, even if its caller uses all of its slots', async () => {
    const code = 'const [paid] = await Promise.all([svc.bank.pay({ n: 1 }), svc.bank.hang({ n: 2 })]); return paid.n';
    const slow = start();
    slow.isHanging = true;
    const runs = Array.from({ length: SLOTS_OF_CALLER }, () => slow.execute(code));
    const stored = async () =>
      (await query(`SELECT FROM execution.code_runs WHERE org_id = $1`, [world.orgId])).rowCount;
    while ((await stored()) !== SLOTS_OF_CALLER) await new Promise((resolve) => setTimeout(resolve, 20));
    world.gate.approveAll();
    slow.isHanging = false;
    await set(`lease_until = now() - interval '1 minute', holder = gen_random_uuid()`);
    const completed = { result: { $case: 'completed', value: { valueJson: '1' } } };
    expect(await Promise.all(runs)).toMatchObject(Array.from(runs, () => completed));
  }, 30_000);
});
