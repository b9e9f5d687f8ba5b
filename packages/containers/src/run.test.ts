import { setTimeout as sleep } from 'node:timers/promises';
import { openSession, runIn, type Session } from './run.js';
import { request } from './testing/engine.js';
import { type FakeContainer, fakeContainer } from './testing/fake-container.js';
import { EXIT, READY, STARTED } from './testing/frames.js';

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
  await expect(run).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', message: expect.stringContaining('No code has run') });
  expect(container.written).toHaveLength(1);
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
