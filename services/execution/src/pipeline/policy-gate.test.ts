import { ApiError } from '@drawbridge/contracts';
import { type AdmitRequest, type GateServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type CallContext, type Client, runInContext } from '@drawbridge/rpc';
import { policyGate } from './policy-gate.js';

const caller = { orgId: 'o', userId: 'u', permissions: { scope: 'org', grants: [], workspaceIds: [] }, source: 'rest' };
const context = { requestId: 'r', caller, deadline: Date.now() + 60_000, signal: new AbortController().signal };

/** Returns a gate of an approvals service with this response of getGate, and the calls that it received. */
function gateWith(getGate: () => Promise<{ guarded: boolean }>) {
  const admitted: AdmitRequest[] = [];
  const admit = async (request: AdmitRequest) => (
    admitted.push(request),
    { admission: { $case: 'free' as const, value: {} } }
  );
  const gate = policyGate({ getGate, admit } as Partial<
    Client<GateServiceDefinition>
  > as Client<GateServiceDefinition>);
  const inCall = <T>(work: () => Promise<T>): Promise<T> => runInContext(context as unknown as CallContext, work);
  const request: AdmitRequest = { workspaceId: 'w', call: undefined };
  return { admitted, isGuarded: () => inCall(gate.isGuarded), admit: () => inCall(() => gate.admit(request)) };
}

it.each([
  ['with', true, { admission: { $case: 'free' } }],
  ['without', false, undefined],
])('of an organization %s policies', async (_, guarded, admission) => {
  const gate = gateWith(async () => ({ guarded }));
  expect(await gate.isGuarded()).toBe(guarded);
  const answer = await gate.admit();
  if (admission) expect(answer).toMatchObject(admission);
  else expect(answer).toBeUndefined();
  expect(gate.admitted).toHaveLength(guarded ? 1 : 0);
});

it.each(['UNAVAILABLE', 'TIMEOUT'] as const)('denies every call while the service answers %s', async (code) => {
  const gate = gateWith(async () => {
    throw new ApiError(code, 'gone');
  });
  const refusal = { code, message: 'Approval policies could not be evaluated. Nothing was executed. Try again.' };
  await expect(gate.isGuarded()).rejects.toMatchObject(refusal);
  await expect(gate.admit()).rejects.toMatchObject(refusal);
  expect(gate.admitted).toEqual([]);
});
