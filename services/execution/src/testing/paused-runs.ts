import { CodeProcess, World } from './code-process.js';
import { query } from './spaces.js';

/** A program with a loop of five calls. The third call needs an approval. */
export const PROGRAM = `
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
/** The result of PROGRAM after its approval. */
export const RESULT = { $case: 'completed', value: { valueJson: '{"total":15,"later":"settled"}' } };
/** The calls of PROGRAM, as `executed` sorts them. */
export const CALLS = ['read 0', 'read 1', 'read 2', 'pay 3', 'read 4', 'read 5'];

export let world: World;
/** The processes that the current test has started. */
export let processes: CodeProcess[];

beforeEach(() => {
  world = new World();
  processes = [];
  world.gate.gated = ['bank.pay'];
});
afterEach(() => Promise.all(processes.map((one) => one.stop())));

/** Starts a process. It stops at the end of the test. */
export const start = (): CodeProcess => processes[processes.push(new CodeProcess(world)) - 1]!;

/** Runs a program until it waits, and returns the approval that it waits for. */
export async function untilPaused(process: CodeProcess, code = PROGRAM): Promise<string> {
  const { result } = await process.execute(code);
  expect(result).toMatchObject({ $case: 'waiting', value: { isNew: true } });
  return world.gate.approvals.at(-1)!.id;
}

/** Returns the executed calls, sorted by their input. The first call of PROGRAM is concurrent to all others, so its position varies. */
export const executed = (): string[] =>
  [...world.executed].sort((a, b) => (a.split(' ')[1]! < b.split(' ')[1]! ? -1 : 1));

/** Changes the stored run. */
export const set = (assignment: string): Promise<unknown> =>
  query(`UPDATE execution.code_runs SET ${assignment} WHERE org_id = $1`, [world.orgId]);

/** Returns the stored run, or undefined if there is none. */
export const row = async (): Promise<any> =>
  (await query('SELECT * FROM execution.code_runs WHERE org_id = $1', [world.orgId])).rows[0];
