import { randomBytes } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { inTransaction } from '@drawbridge/events';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { CodeProcess, World } from '../testing/code-process.js';
import { database, query } from '../testing/spaces.js';
import { openRun, sealRun, toDataKey } from './seal-run.js';
import { emptyWorkspace, retentionRules } from '../retention.js';
import { forgetEndUsers } from '../state/purge-state.js';

/** A program with a loop of five calls. The third call needs an approval. */
const PROGRAM = `
  const seen = new Map([['total', 0]]);
  function* numbers() { for (let n = 1; n <= 5; n++) yield n; }
  const add = (n) => seen.set('total', seen.get('total') + n);
  const later = svc.bank.read({ n: 0 }).then(() => 'settled');
  for (const n of numbers()) {
    const answer = n === 3 ? await svc.bank.pay({ n }) : await svc.bank.read({ n });
    add(answer.n);
    console.log('after', n);
  }
  return { total: seen.get('total'), later: await later }`;
const RESULT = { $case: 'completed', value: { valueJson: '{"total":15,"later":"settled"}' } };
const CALLS = ['read 0', 'read 1', 'read 2', 'pay 3', 'read 4', 'read 5'];

/** Number of programs that one caller may run at once. */
const SLOTS_OF_CALLER = 5;

let world: World;
let processes: CodeProcess[];
const start = (): CodeProcess => processes[processes.push(new CodeProcess(world)) - 1]!;
beforeEach(() => {
  world = new World();
  processes = [];
  world.gate.gated = ['bank.pay'];
});
afterEach(() => Promise.all(processes.map((one) => one.stop())));

/** Runs a program until it waits, and returns the approval that it waits for. */
async function untilPaused(process: CodeProcess, code = PROGRAM): Promise<string> {
  const { result } = await process.execute(code);
  expect(result).toMatchObject({ $case: 'waiting', value: { isNew: true } });
  return world.gate.approvals.at(-1)!.id;
}

/** Returns the executed calls, sorted by their input. The first call of PROGRAM is concurrent to all others, so its position varies. */
const executed = (): string[] => [...world.executed].sort((a, b) => (a.split(' ')[1]! < b.split(' ')[1]! ? -1 : 1));

const set = (assignment: string): Promise<unknown> =>
  query(`UPDATE execution.code_runs SET ${assignment} WHERE org_id = $1`, [world.orgId]);
const row = async () => (await query('SELECT * FROM execution.code_runs WHERE org_id = $1', [world.orgId])).rows[0];

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

  /** Continues a run in a process that crashes after it executed `send`. */
  async function dieAfterSend(approval: string): Promise<void> {
    const dying = start();
    dying.isHanging = true;
    const sent = new Promise<void>((resolve) => {
      world.onExecuted = () => void (world.executed.at(-1) === 'send 3' && setTimeout(resolve, 100));
    });
    const lost = dying.continue(approval).catch(() => undefined);
    await sent;
    await dying.crash();
    await lost;
  }

  it('is repeated from its snapshot, and executes no action twice', async () => {
    const approval = await untilPaused(start(), HANGING);
    world.gate.approveAll();
    await dieAfterSend(approval);
    expect((await start().continue(approval)).result).toEqual(DONE);
    expect(world.executed).toEqual(['read 1', 'pay 2', 'send 3', 'hang 4']);
    expect(world.quota).toBe(1);
  });

  it('does not advise to repeat it if the tools changed', async () => {
    const approval = await untilPaused(start(), HANGING);
    world.gate.approveAll();
    await dieAfterSend(approval);
    world.surfaceHash = 'changed';
    const { result } = await start().continue(approval);
    const message = expect.stringMatching(
      / Later actions of the run are in the run log\. Start a program that does not repeat them\.$/,
    );
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'SURFACE_CHANGED', message } });
  });

  it('is repeated from its code where it has no snapshot yet', async () => {
    world.analysis = { predictedTools: ['bank.pay'] };
    const approval = await untilPaused(start(), HANGING);
    world.gate.approveAll();
    await dieAfterSend(approval);
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
    const approval = await untilPaused(start(), HANGING.replace('const third', `${refused} const third`));
    world.gate.approveAll();
    await dieAfterSend(approval);
    const { result } = await start().continue(approval);
    expect(result).toMatchObject({ $case: 'failed', value: { code: 'INTERRUPTED' } });
    expect(world.executed).toEqual(['read 1', 'pay 2', 'send 3']);
  });

  it('ends where the answers of its calls may be deleted already', async () => {
    const approval = await untilPaused(start(), HANGING);
    world.gate.approveAll();
    await dieAfterSend(approval);
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
