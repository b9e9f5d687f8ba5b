import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS, MAX_FRAMES } from './limits.js';
import { openSession, runIn, type Session } from './run.js';
import { request } from './testing/engine.js';
import { type FakeContainer, fakeContainer, responding } from './testing/fake-container.js';
import { EXIT, frame, READY, STARTED } from './testing/frames.js';

async function opened(container: FakeContainer): Promise<Session> {
  container.output.write(READY);
  return openSession(container);
}

const NO_FILES = new Map<string, Buffer>();

it('sends the byte that starts the code after the supervisor has prepared the run', async () => {
  const container = fakeContainer();
  const session = await opened(container);
  const run = runIn(session, request({ code: 'true' }), NO_FILES);
  await sleep(20);
  expect(container.written).toHaveLength(1);
  container.output.write(STARTED);
  await sleep(20);
  expect(container.written.at(-1)).toEqual(Buffer.of(1));
  container.output.write(EXIT);
  expect(await run).toMatchObject({ outcome: 'exited', exitCode: 0 });
});

it('starts no code if the connection is lost before the supervisor has prepared the run', async () => {
  const container = fakeContainer();
  const session = await opened(container);
  const run = runIn(session, request({ code: 'true' }), NO_FILES);
  await sleep(20);
  container.output.end();
  await expect(run).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining('No code has run'),
  });
  expect(container.written).toHaveLength(1);
});

async function runWith(answer: Buffer[]) {
  const session = await openSession(responding(fakeContainer(), [Buffer.concat(answer)]));
  return runIn(session, request({ code: 'true' }), NO_FILES);
}

const repeated = (bytes: Buffer, times: number): Buffer => Buffer.alloc(bytes.length * times, bytes);

/** `npm test` sends one of the types, because reading the frames takes seconds. */
const ENDLESS = process.env['FULL'] === '0' ? ['o'] : ['o', 'f', 'd'];

it.each(ENDLESS)('ends a run that sends more empty frames of the type %s than a run needs', async (type) => {
  const frames = repeated(frame(type, ''), MAX_FRAMES + 1);
  expect(await runWith([frames, EXIT])).toMatchObject({ outcome: 'failed' });
});

it('returns output that is sent one byte at a time, up to its limit', async () => {
  const { outcome, stdout } = await runWith([repeated(frame('o', 'x'), LIMITS.outputBytes), EXIT]);
  expect([outcome, stdout.length]).toEqual(['exited', LIMITS.outputBytes]);
});

it('reports an image of another version, which no other attempt can start', async () => {
  const container = fakeContainer();
  container.output.write(frame('h', '{"protocol":1}'));
  await expect(openSession(container)).rejects.toMatchObject({
    ...{
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringContaining('The sandbox image uses protocol 1, but this version requires 2'),
    },
  });
});

it('reports a frame that is not valid before the code starts as a run that has not started', async () => {
  const container = fakeContainer();
  const session = await opened(container);
  const run = runIn(session, request({ code: 'true' }), NO_FILES);
  container.output.write(frame('?', ''));
  await expect(run).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
});

it('sends no request of a run that was cancelled while its container started', async () => {
  const container = fakeContainer();
  const session = await opened(container);
  const run = runIn(session, request({ code: 'true', signal: AbortSignal.abort() }), NO_FILES);
  await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(container.written).toEqual([]);
});

it('starts no code of a run that is cancelled when the supervisor has prepared it', async () => {
  const container = fakeContainer();
  const session = await opened(container);
  const cancel = new AbortController();
  const run = runIn(session, request({ code: 'true', signal: cancel.signal }), NO_FILES);
  await sleep(20);
  container.output.write(STARTED);
  cancel.abort();
  await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(container.written).toHaveLength(1);
});
