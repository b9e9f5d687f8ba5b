import { type Load } from './loads.js';
import { inParallel } from './stage.js';

/** Rules of every kind that reads an input, on texts that cost most where a rule needs more than one pass. */
export function policyLoads(): Record<string, Load> {
  const rules = {
    amountThresholds: [{ path: 'x[0]', gt: 1 }],
    domainAllowlist: ['example.com'],
    domainDenylist: ['evil.example'],
    storagePathPrefixes: ['prod/'],
  };
  const parts = ['../', '\\', 'a@b.c ', 'https://h.x ', 'https://é', '://', '1'];
  const input = (index: number) => {
    const part = parts[index % parts.length]!;
    return { text: part.repeat(450_000 / Buffer.byteLength(JSON.stringify(part))), encoding: 'hex' };
  };
  const call = { integrationName: 'hash-encode', actionName: 'encode' };
  const path = '/api/v1/approval-policies';
  return {
    'policies tested on slow texts': ({ ask }) =>
      inParallel(14, (index) =>
        ask('POST', `${path}/test`, { policy: { rules }, context: { ...call, input: input(index) } }),
      ),
    'calls with slow texts under a policy': async ({ ask, execute, workspaceId }) => {
      const made = await ask('POST', path, { name: 'Slow', workspaceId, decision: 'block', rules });
      await inParallel(14, (index) => execute({ ...call, input: input(index) }));
      await ask('DELETE', `${path}/${made?.body.policy.id}`);
    },
  };
}
