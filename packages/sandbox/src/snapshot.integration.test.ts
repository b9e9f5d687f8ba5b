import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ask } from './fixtures/ask.mjs';
import { randomProgram } from './fixtures/random-program.mjs';
import { type ConsoleLine, type Outcome, openSandbox, PAUSE, type Sandbox } from './index.js';

const PROGRAMS = 200;
const MOST_PAUSES = 60;

let sandbox: Sandbox;
let others: ChildProcess[];

beforeAll(() => {
  sandbox = openSandbox({ workers: 2 });
  others = [0, 1].map(() => fork(join(import.meta.dirname, 'fixtures/resume.mjs'), { execArgv: [] }));
});
afterAll(async () => {
  for (const other of others) other.kill();
  await sandbox.close();
});

type Sent = Outcome & { snapshot?: string };

const start = (code: string, seed: number, released: string[] | 'all') =>
  sandbox.run({ organization: 'acme', code, functions: { ask: ask(PAUSE, seed, released) }, now: () => 0 });

it(`resumes ${PROGRAMS} programs in another process as if they had not been paused`, async () => {
  let pauses = 0;
  for (let seed = 1; seed <= PROGRAMS; seed++) {
    const code = randomProgram(seed);
    const expected = await start(code, seed, 'all');
    expect(expected).toMatchObject({ status: 'completed', value: { sum: expect.any(Number) } });

    const first = await start(code, seed, []);
    const lines: ConsoleLine[] = [...first.console];
    let outcome: Sent = toSent(first);
    for (let turn = 0; outcome.status === 'paused' && turn < MOST_PAUSES; turn++) {
      pauses++;
      outcome = await resumeElsewhere(outcome, seed, turn);
      lines.push(...outcome.console);
    }
    expect({ seed, ...outcome, console: lines }).toMatchObject({
      seed,
      ...expected,
      console: expected.console,
      cpuMs: expect.any(Number),
      durationMs: expect.any(Number),
    });
  }
  expect(pauses).toBeGreaterThan(PROGRAMS);
}, 600_000);

it('refuses snapshots that were truncated or altered', async () => {
  const paused = await sandbox.run({
    organization: 'acme',
    code: 'return ask()',
    functions: { ask: async () => PAUSE },
  });
  if (paused.status !== 'paused') throw new Error(paused.status);
  const { snapshot } = paused;
  const resume = (bytes: Uint8Array) =>
    sandbox.resume(bytes, { organization: 'acme', functions: { ask: async () => 1 } });
  const refused = async (bytes: Uint8Array) =>
    expect(resume(bytes)).rejects.toMatchObject({ name: 'SnapshotError', code: expect.stringMatching(/^SNAPSHOT_/) });

  for (let at = 0; at < snapshot.length; at += at < 200 ? 1 : 997) {
    const altered = Uint8Array.from(snapshot);
    altered[at]! ^= 1;
    await refused(altered);
  }
  for (const length of [0, 1, 4, 10, 41, 42, 43, 500, snapshot.length - 1]) await refused(snapshot.subarray(0, length));
  await refused(Buffer.concat([snapshot, Buffer.from('more')]));
  expect(await resume(snapshot)).toMatchObject({ status: 'completed', value: 1 });
});

function toSent(outcome: Outcome): Sent {
  if (outcome.status !== 'paused') return outcome as Sent;
  return { ...outcome, snapshot: Buffer.from(outcome.snapshot).toString('base64') } as unknown as Sent;
}

async function resumeElsewhere(paused: Sent, seed: number, turn: number): Promise<Sent> {
  const other = others[turn % others.length]!;
  const released = paused.status === 'paused' ? paused.pending.map(({ id }) => id) : [];
  other.send({ snapshot: paused.snapshot, seed, released });
  const [outcome] = await once(other, 'message');
  return outcome as Sent;
}
