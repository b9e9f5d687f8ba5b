import { getEventListeners } from 'node:events';
import { type ServiceName } from '@drawbridge/contracts';
import { type Workspace } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { callerTokens } from './caller-token.js';
import { GrpcNetwork } from './grpc-client.js';
import { LacksMethod } from './grpc-status.js';
import { LostCall } from './errors.js';
import { seen, WHO } from './testing/members.js';
import {
  asking,
  getWorkspace,
  type Opened,
  type Question,
  startMembers,
  startOther,
  tokens,
  TRANSPORTS,
} from './testing/networks.js';

/** A call with this time limit ends in time only if it is canceled. */
const LONG_MS = 300_000;

describe.each(TRANSPORTS)('a call %s', (_name, open) => {
  let opened: Opened;
  beforeAll(async () => (opened = await open()));
  afterAll(() => opened.close());

  const get = (question: Question, from: ServiceName = 'gateway'): Promise<Workspace> =>
    getWorkspace(opened.as(from), question);

  it('carries the caller and the request id', async () => {
    expect((await get({ id: 'w' })).name).toBe('org');
    expect(seen.at(-1)).toMatchObject({ requestId: 'r-1', from: 'gateway', caller: WHO });
  });

  it.each([
    ["its caller's, where it may take longer itself", 60_000, 5_000],
    ['its own, where its caller has more time', 5_000, 60_000],
    ["its caller's, where it may take for ever", Infinity, 5_000],
  ])('has as its deadline %s', async (_, timeoutMs, left) => {
    const before = Date.now();
    await get({ id: 'w', context: asking({ deadline: before + left }), timeoutMs });
    const { deadline } = seen.at(-1)!;
    // gRPC sends the remaining time in whole milliseconds.
    expect(deadline).toBeGreaterThan(before + 4_000);
    expect(deadline).toBeLessThan(before + 20_000);
  });

  it('ends for the callee at its own deadline, before that of its caller', async () => {
    const context = asking({ requestId: 'own time', deadline: Date.now() + 60_000 });
    await expect(get({ id: 'hang', context, timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(seen.at(-1)!.requestId).toBe('own time');
    while (!seen.at(-1)!.signal.aborted) await new Promise(setImmediate);
  });

  it('that was answered is not aborted, and releases its caller', async () => {
    const { signal } = new AbortController();
    await get({ id: 'w', context: asking({ signal }) });
    await get({ id: 'refuse', context: asking({ signal }) }).catch(() => undefined);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(seen.slice(-2).map((context) => context.signal.aborted)).toEqual([false, false]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends with TIMEOUT when the deadline passes', async () => {
    const context = asking({ deadline: Date.now() + 50 });
    await expect(get({ id: 'hang', context })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('is lost without a response, but answered if the service reports a lost call of its own', async () => {
    // Long enough for a slow machine to send the call.
    const context = asking({ deadline: Date.now() + 500 });
    await expect(get({ id: 'hang', context })).rejects.toBeInstanceOf(LostCall);
    const answer: unknown = await get({ id: 'lose' }).catch((error: unknown) => error);
    expect(answer).toMatchObject({ code: 'TIMEOUT', status: 504, message: 'catalog did not respond in time' });
    expect(answer).not.toBeInstanceOf(LostCall);
  });

  it('ends when the caller disconnects, and aborts at the callee', async () => {
    const abort = new AbortController();
    const context = asking({ signal: abort.signal, requestId: 'hang-up', deadline: Date.now() + LONG_MS });
    const call = get({ id: 'hang', context, timeoutMs: LONG_MS });
    while (seen.at(-1)?.requestId !== 'hang-up') await new Promise(setImmediate);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
    while (!seen.at(-1)!.signal.aborted) await new Promise(setImmediate);
  });

  it('ends when its own signal aborts, and aborts the signal of the callee', async () => {
    const abort = new AbortController();
    const context = asking({ requestId: 'own signal', deadline: Date.now() + LONG_MS });
    const call = get({ id: 'hang', context, timeoutMs: LONG_MS, signal: abort.signal });
    while (seen.at(-1)?.requestId !== 'own signal') await new Promise(setImmediate);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
    while (!seen.at(-1)!.signal.aborted) await new Promise(setImmediate);
  });

  it('ends at once if the caller has already disconnected', async () => {
    const context = asking({ signal: AbortSignal.abort(), requestId: 'left', deadline: Date.now() + LONG_MS });
    await expect(get({ id: 'hang', context, timeoutMs: LONG_MS })).rejects.toMatchObject({ code: 'TIMEOUT' });
    const unaware = (): boolean => seen.some(({ requestId, signal }) => requestId === 'left' && !signal.aborted);
    while (unaware()) await new Promise(setImmediate);
  });

  it('is refused to a service that is not on the list', async () => {
    await expect(get({ id: 'w' }, 'members')).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });
});

describe('over gRPC', () => {
  it('a call signed with another key is refused, and an unreachable service is UNAVAILABLE', async () => {
    const server = await startMembers();
    const foreign = new GrpcNetwork('gateway', () => `127.0.0.1:${server.port}`, callerTokens('f'.repeat(32)));
    const get = (): Promise<Workspace> => getWorkspace(foreign, { id: 'w' });
    const served = seen.length;
    await expect(get()).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(seen).toHaveLength(served);
    await foreign.ready('members');
    await server.drain(1_000);
    await expect(get()).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    foreign.close();
  });

  it('a method that only one of two versions of a service has is called in a process that has it', async () => {
    const servers = await Promise.all([startMembers(), startOther()]);
    const both = `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    const network = new GrpcNetwork('gateway', () => both, tokens);
    const calls = Array.from({ length: 16 }, () => getWorkspace(network, { id: 'w' }));
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ id: 'w' });
    await servers[0].drain(1_000);
    await expect(getWorkspace(network, { id: 'w' })).rejects.toMatchObject({
      ...{ code: 'UNAVAILABLE', status: 503 },
      message: 'members runs a version without this operation; try again',
    });
    network.close();
    await servers[1].drain(1_000);
  });

  it('a lost call that only reads is repeated, even if it reached a process without the method before', async () => {
    const network = new GrpcNetwork('gateway', () => 'ipv4:127.0.0.1:1', tokens);
    const lacking = new LacksMethod('UNAVAILABLE', 'members runs a version without this operation');
    const lost = new LostCall('UNAVAILABLE', 'members is unavailable', { mayHaveChanged: false });
    const failures: Error[] = [lacking, lacking, lacking, lost, lacking];
    const asking = import.meta.jest.spyOn(network as unknown as { ask(): Promise<unknown> }, 'ask');
    asking.mockImplementation(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return { id: 'w' };
    });
    expect(await getWorkspace(network, { id: 'w' })).toMatchObject({ id: 'w' });
    failures.push(lost, lacking, lost);
    await expect(getWorkspace(network, { id: 'w' })).rejects.toBe(lost);
    network.close();
  });
});
