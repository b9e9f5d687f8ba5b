import { Cancellation } from './cancellation.js';
import {
  type CallContext,
  currentContext,
  detached,
  requireInTime,
  runAs,
  runInContext,
  ServedContext,
} from './context.js';
import { memoize } from './memoize.js';
import { WHO } from './testing/members.js';

const log = { info() {} } as unknown as CallContext['log'];
const context: CallContext = {
  requestId: 'r-1',
  from: 'gateway',
  deadline: Date.now() + 1_000,
  signal: AbortSignal.abort(),
  traceparent: '00-trace',
  address: '192.0.2.1',
  log,
};

describe('a detached call', () => {
  it('keeps the request id, the trace and the log, also on behalf of another caller', async () => {
    const found = await runInContext(context, () =>
      runAs({ caller: WHO }, () => detached(async () => currentContext())),
    );
    const { requestId, from, traceparent, address } = found!;
    expect({ requestId, from, traceparent, address }).toMatchObject({
      requestId: 'r-1',
      from: 'gateway',
      traceparent: '00-trace',
    });
    expect([found!.log, found!.caller, found!.signal.aborted]).toEqual([log, WHO, false]);
  });

  it('has a later deadline if cached work can take longer', async () => {
    const deadlineOf = (limitMs?: number) =>
      runInContext(context, () => memoize({ ttlMs: 1, limitMs }, async () => currentContext()!.deadline)('a'));
    const [usual, longer] = [await deadlineOf(), await deadlineOf(600_000)];
    expect(longer).toBeGreaterThan(usual);
  });
});

describe('an incoming call', () => {
  it('has everything that was sent with it', () => {
    const ids = { requestId: 'r-2', traceparent: '00-other', address: '192.0.2.2' };
    const sent = { ...ids, from: 'mcp' as const, caller: WHO, deadline: 1, abandoned: { add: () => undefined } };
    expect(new ServedContext(sent, log, new Cancellation())).toMatchObject({ ...sent, log });
  });

  const leaving = new Cancellation();
  const served = new ServedContext({ ...context, deadline: Date.now() + 60_000 }, log, leaving);
  const check = (): void => runInContext(served, () => requireInTime());

  it('is in time until it is canceled, and no check creates its signal', () => {
    const signalOf = Object.getOwnPropertyDescriptor(Cancellation.prototype, 'signal')!.get!;
    let created = 0;
    Object.defineProperty(leaving, 'signal', { get: () => ((created += 1), signalOf.call(leaving)) });
    check();
    leaving.abort();
    expect(check).toThrow('The deadline of this call has passed');
    expect(created).toBe(0);
    expect(served.signal.aborted).toBe(true);
  });

  it('on behalf of another caller with a signal of its own, it is canceled only by that signal', async () => {
    const canceled = new Cancellation();
    canceled.abort();
    const outer = new ServedContext({ ...context, deadline: Date.now() + 60_000 }, log, canceled);
    const own = new AbortController();
    const inner = runInContext(outer, () =>
      runAs({ caller: WHO, signal: own.signal }, async () => {
        requireInTime();
        own.abort();
        requireInTime();
      }),
    );
    await expect(inner).rejects.toThrow('The deadline of this call has passed');
    expect(own.signal.aborted).toBe(true);
  });
});
