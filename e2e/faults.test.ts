// Shapes: processes
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { SERVICES } from '@drawbridge/contracts';
import { type Answer, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { FAULTS, type FaultName } from './support/faults/faults.js';
import { type Attempt, flowsOf } from './support/faults/flows.js';
import { PUBLISHERS } from './support/kill-points.js';
import { type NotifiedTriggers, notifiedTriggers } from './support/notified-triggers.js';
import { unexpectedErrors } from './support/unexpected.js';
import { waitUntilReady } from './support/wait-until-ready.js';

const SETTLE_MS = 60_000;
const CLOCK = pathToFileURL(join(import.meta.dirname, 'support/faults/stepping-clock.mjs')).href;

/** `pnpm faults` injects each fault into every service. */
const CELLS: [FaultName, string][] = process.env['EVERY_FAULT']
  ? (Object.keys(FAULTS) as FaultName[]).flatMap((fault) => SERVICES.map((name): [FaultName, string] => [fault, name]))
  : [
      ['SIGSTOP', 'approvals'],
      ['a clock one hour off', 'catalog'],
    ];

let its: NotifiedTriggers;
let flows: Awaited<ReturnType<typeof flowsOf>>;

beforeAll(async () => {
  const env = { NODE_OPTIONS: `--import=${CLOCK}`, PUBLIC_RATE_LIMIT: 'null', LOG_LEVEL: 'info' };
  its = await notifiedTriggers(env);
  flows = await flowsOf(its);
  await eventually(expectWorking, SETTLE_MS);
});
afterAll(() => its?.stop());

/** Makes the calls of all flows concurrently. `during` wraps the calls in a fault. */
async function attemptAll(during = (calls: () => Promise<unknown>): Promise<unknown> => calls()): Promise<Attempt[]> {
  const prepared = await Promise.all(
    Object.entries(flows).map(async ([flow, prepare]) => ({ flow, call: await prepare() })),
  );
  const attempts: Attempt[] = [];
  await during(() => Promise.all(prepared.map(async ({ flow, call }) => attempts.push({ flow, ...(await call()) }))));
  return attempts;
}

type Outcome = 'done' | 'not done' | 'unknown';

function outcomeOf(answer: Answer | undefined): Outcome {
  if (!answer || JSON.stringify(answer.body)?.includes('outcome_unknown')) return 'unknown';
  const isRefused = answer.status >= 300 || answer.body?.error || answer.body?.result?.isError;
  return isRefused ? 'not done' : 'done';
}

const shown = ({ flow, answer }: Attempt): string => `${flow}: ${answer?.status} ${JSON.stringify(answer?.body)}`;

/** Expects that every flow works, its events arrive, and no event is pending. */
async function expectWorking(): Promise<void> {
  await waitUntilReady(its.product, SETTLE_MS);
  const attempts = await attemptAll();
  expect(attempts.filter(({ answer }) => outcomeOf(answer) !== 'done').map(shown)).toEqual([]);
  await expectDone(attempts);
  const waiting = PUBLISHERS.map((name) => `SELECT type FROM ${name}.outbox WHERE published_at IS NULL`);
  await eventually(
    async () => expect(await rowsOf(its.product.databaseUrl, waiting.join(' UNION ALL '))).toEqual([]),
    SETTLE_MS,
  );
}

async function expectDone(attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts)
    await eventually(async () => expect([shown(attempt), await attempt.hasHappened()]).toEqual([shown(attempt), true]));
}

it.each(CELLS)(
  '%s of %s causes no effect of a call that was reported as failed, and every flow works afterwards',
  async (fault, name) => {
    const attempts = await attemptAll((calls) => FAULTS[fault](its.product, name, calls));
    await eventually(expectWorking, SETTLE_MS);
    await expectDone(attempts.filter(({ answer }) => outcomeOf(answer) === 'done'));
    const effects = await Promise.all(
      attempts
        .filter(({ answer }) => outcomeOf(answer) === 'not done')
        .map(async (attempt) => ({
          attempt: shown(attempt),
          hasHappened: await attempt.hasHappened(),
        })),
    );
    expect(effects.filter(({ hasHappened }) => hasHappened)).toEqual([]);
    expect(attempts).toHaveLength(Object.keys(flows).length);
    if (process.env['EVERY_FAULT'])
      process.stderr.write(
        `${fault} of ${name}: ${attempts.map((one) => `${one.flow} ${outcomeOf(one.answer)}`).join(', ')}\n`,
      );
  },
);

it('a service with a clock an hour off does not start and reports the difference', async () => {
  await its.product.kill('catalog');
  await expect(its.product.restart('catalog', { CLOCK_STEP_MS: '3600000' })).rejects.toThrow(
    /The clock of this machine is 3\d{3} s ahead of the database's clock/,
  );
  await its.product.restart('catalog', { CLOCK_STEP_MS: '0' });
  await waitUntilReady(its.product);
});

it('a gateway after its clock steps by an hour is unready in /readyz', async () => {
  const probe = (): Promise<Answer> => apiOf(its.product.baseUrl).get('/readyz');
  const step = (): boolean => process.kill(its.product.processes()['gateway']!, 'SIGUSR2');
  step();
  await eventually(async () =>
    expect(await probe()).toMatchObject({ status: 503, body: { unready: expect.arrayContaining(['gateway']) } }),
  );
  const itself = await apiOf(its.product.baseUrl).get('/readyz?exclude=services');
  expect(itself).toMatchObject({ status: 503, body: { unready: ['gateway'] } });
  step();
  await waitUntilReady(its.product);
});

it('no fault causes an unexpected error', () => {
  expect(unexpectedErrors(its.product.logs())).toEqual([]);
});
