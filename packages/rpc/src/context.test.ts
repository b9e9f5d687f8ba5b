import { type CallContext, currentContext, detached, runAs, runInContext } from './context.js';
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
