import { GetWorkspaceRequest, WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { runInContext } from './context.js';
import { GrpcNetwork } from './grpc-client.js';
import { DEADLINE_KEY } from './wire-format.js';
import { type GrpcServer } from './grpc-server.js';
import { ReferenceClock } from './reference-clock.js';
import { seen, WHO } from './testing/members.js';
import { asking, getWorkspace, startMembers, tokens, TRANSPORTS } from './testing/networks.js';
import { framed, GET_WORKSPACE, grpcStatus, raw } from './testing/raw-call.js';

const HOUR = 3_600_000;
const DEADLINE_EXCEEDED = 4;

/** Returns a clock according to which this machine is `byMs` ahead of the reference. */
function clockAhead(byMs: number): ReferenceClock {
  const clock = new ReferenceClock();
  setAhead(clock, byMs);
  return clock;
}

function setAhead(clock: ReferenceClock, byMs: number): void {
  const at = performance.now();
  clock.learn({ epochMs: Date.now() - byMs, sentAt: at, receivedAt: at });
}

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function startWith(clock: ReferenceClock): Promise<GrpcServer> {
  const server = await startMembers(undefined, { clock });
  opened.push({ close: () => server.drain(100) });
  return server;
}

function networkTo(servers: GrpcServer[], clock: ReferenceClock): GrpcNetwork {
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const network = new GrpcNetwork('gateway', () => `ipv4:${addresses}`, tokens, clock);
  opened.unshift(network);
  return network;
}

it('in one process, work that continues after its caller disconnected is passed to the context of the caller', async () => {
  const [, openInOneProcess] = TRANSPORTS[0];
  const network = (await openInOneProcess()).as('gateway');
  const abort = new AbortController();
  const abandoned = new Set<Promise<unknown>>();
  const context = asking({ signal: abort.signal, abandoned });
  expect(await getWorkspace(network, { id: 'w', context })).toMatchObject({ name: 'org' });
  const call = getWorkspace(network, { id: 'wait', context });
  abort.abort();
  await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(await Promise.all(abandoned)).toMatchObject([{ name: 'n' }]);
});

describe('a call with a deadline that passed while its receiver was stopped', () => {
  it.each([
    ['and clocks agree', 0],
    ['and the receiver is a minute ahead', 60_000],
    ['and the receiver is a minute behind', -60_000],
  ])('is refused before it begins, and a call in time is answered, %s', async (_, aheadMs) => {
    const { port } = await startWith(clockAhead(aheadMs));
    const token = await tokens.sign({ from: 'gateway', to: 'members', caller: WHO });
    const body = framed(Buffer.from(GetWorkspaceRequest.encode({ id: 'w' }).finish()));
    const send = async (leftMs: number) => {
      // The grpc-timeout header still grants the full 10 s: only the Drawbridge deadline header has expired.
      const deadline = { 'grpc-timeout': '10S', [DEADLINE_KEY]: String(Date.now() - aheadMs + leftMs) };
      const headers = { ':path': GET_WORKSPACE, 'x-drawbridge-caller': token, ...deadline };
      return grpcStatus(await raw(port, headers, { body }));
    };
    const served = seen.length;
    expect(await send(-20_000)).toBe(DEADLINE_EXCEEDED);
    expect(seen).toHaveLength(served);
    expect(await send(10_000)).toBe(0);
    expect(seen).toHaveLength(served + 1);
  });
});

describe.each(TRANSPORTS)('a change with a lost response, %s', (_name, open) => {
  it('may still be applied, unlike a read', async () => {
    const network = await open();
    opened.push(network);
    const client = network.as('gateway').client('members', WorkspaceServiceDefinition);
    const context = () => asking({ deadline: Date.now() + 500 });
    const [change, read] = await Promise.all([
      runInContext(context(), () => client.deleteWorkspace({ id: 'hang' })).catch((error: unknown) => error),
      getWorkspace(network.as('gateway'), { id: 'hang', context: context() }).catch((error: unknown) => error),
    ]);
    expect(change).toMatchObject({ code: 'TIMEOUT', mayHaveChanged: true });
    expect(read).toMatchObject({ code: 'TIMEOUT', mayHaveChanged: false });
  });

  it('is outcome_unknown to the caller of the service that lost it, never UNAVAILABLE', async () => {
    const network = await open();
    opened.push(network);
    await expect(getWorkspace(network.as('gateway'), { id: 'loseChange' })).rejects.toMatchObject({
      code: 'INTERNAL',
      details: { reason: 'outcome_unknown', retryable: false, requestId: 'r-1' },
    });
  });
});

describe.each(TRANSPORTS)('a call that fails after a change, %s', (_name, open) => {
  it('is outcome_unknown, and one that fails before it is UNAVAILABLE', async () => {
    const network = await open();
    opened.push(network);
    const client = network.as('gateway').client('members', WorkspaceServiceDefinition);
    const failureOf = (id: string) =>
      runInContext(asking(), () => client.deleteWorkspace({ id })).catch((error: unknown) => error);
    expect(await failureOf('changed')).toMatchObject({
      code: 'INTERNAL',
      details: { reason: 'outcome_unknown', requestId: 'r-1' },
    });
    expect(await failureOf('away')).toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('a process with a clock an hour off', () => {
  it('refuses calls before they begin and is not ready, and its callers use another process', async () => {
    const wrong = clockAhead(0);
    const servers = [await startWith(wrong), await startWith(clockAhead(0))];
    const network = networkTo(servers, clockAhead(0));
    // Opens connections to both servers before the clock of one of them changes: a server with a wrong clock accepts no connection.
    for (let calls = 0; calls < 4; calls += 1) await getWorkspace(network, { id: 'w' });
    setAhead(wrong, HOUR);
    for (let calls = 0; calls < 20; calls += 1) expect((await getWorkspace(network, { id: 'w' })).name).toBe('org');
    const alone = networkTo([servers[0]!], clockAhead(0));
    await expect(alone.ready('members')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(getWorkspace(alone, { id: 'w' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    setAhead(wrong, 0);
    const isTaken = () => getWorkspace(alone, { id: 'w' }).then(Boolean, () => false);
    while (!(await isTaken())) await new Promise(setImmediate);
  });
});
