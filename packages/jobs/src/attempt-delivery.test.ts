import { attemptDelivery, type Noted } from './attempt-delivery.js';
import { type TimedResult } from './deliver-webhook.js';
import { type DeliveryResult } from './judge-delivery.js';
import { MAX_ATTEMPTS } from './retry-delay.js';

const answered = (result: DeliveryResult['result'], httpStatus: number): TimedResult => ({
  result,
  httpStatus,
  errorMessage: result === 'delivered' ? null : `The receiver answered ${httpStatus}`,
  retryAfterMs: 0,
  tookMs: 12_000,
});

async function attempted(attempt: number, send: () => Promise<TimedResult | undefined>) {
  const notes: Noted[] = [];
  const calls: object[] = [];
  const job = { attempt, signal: new AbortController().signal, noteTarget: (call: object) => void calls.push(call) };
  const error = await attemptDelivery({ job, send, note: async (noted) => void notes.push(noted) }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { notes, error, calls };
}

it('notes what was delivered, and ends', async () => {
  const { notes, error } = await attempted(1, async () => answered('delivered', 204));
  expect(notes).toEqual([{ status: 'success', httpStatus: 204, errorMessage: null }]);
  expect(error).toBeUndefined();
});

it.each([
  ['is to be made again', 1, answered('failed', 500), 'retrying'],
  ['was the last', MAX_ATTEMPTS, answered('failed', 500), 'failed'],
  ['is unwelcome', 1, answered('gone', 410), 'failed'],
])('notes that it %s, and rejects', async (_what, attempt, result, status) => {
  const { notes, error } = await attempted(attempt, async () => result);
  expect(notes).toEqual([{ status, httpStatus: result.httpStatus, errorMessage: result.errorMessage }]);
  expect(error).toMatchObject({ name: 'JobFailure', isFinal: result.result === 'gone' });
});

it('notes our own fault without its words, and passes it on', async () => {
  const fault = new Error('canary');
  const { notes, error } = await attempted(1, () => Promise.reject(fault));
  expect(notes).toEqual([{ status: 'retrying', httpStatus: null, errorMessage: 'It could not be sent' }]);
  expect(error).toBe(fault);
});

it('notes nothing while something of ours is away, nor of what was ended meanwhile', async () => {
  const outage = Object.assign(new Error('connections is away'), { code: 'UNAVAILABLE' });
  expect(await attempted(1, () => Promise.reject(outage))).toEqual({ notes: [], error: outage, calls: [] });
  expect(await attempted(1, async () => undefined)).toEqual({ notes: [], error: undefined, calls: [] });
});

it('tells the circuit breaker the time of the receiver, not that of the task', async () => {
  const { calls } = await attempted(1, async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { ...answered('failed', 500), tookMs: 3 };
  });
  expect(calls).toEqual([{ tookMs: 3, hasFailed: true }]);
});

it('counts an attempt that was sent, also where its end cannot be stored', async () => {
  const away = Object.assign(new Error('the database is away'), { code: 'UNAVAILABLE' });
  const job = { attempt: 1, signal: new AbortController().signal, noteTarget: () => undefined };
  let tries = 0;
  const note = () => Promise.reject(Object.assign(away, { tries: ++tries }));
  const attempt = attemptDelivery({ job, send: async () => answered('delivered', 200), note });
  await expect(attempt).rejects.toMatchObject({ name: 'JobFailure', isFinal: false });
  expect(tries).toBeGreaterThan(1);
}, 20_000);
