import { type Load } from './loads.js';
import { inParallel } from './stage.js';

/** Strings in which every character is expensive when credentials are redacted from a preview. */
const DISGUISED = ['%41', '&#116;', '&a=b'];

/** Evaluates each kind of rule that reads an input, on the strings that are most expensive for rules with several passes. */
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
  const largest = (part: string) => ({
    integrationName: 'http',
    actionName: 'send_request',
    connectionExternalId: 'plain',
    input: { method: 'POST', url: 'https://api.example.com/echo', text: part.repeat(9_500_000 / part.length) },
  });
  const call = { integrationName: 'hash-encode', actionName: 'encode' };
  const path = '/api/v1/approval-policies';
  return {
    'policies tested on slow texts': ({ ask }) =>
      inParallel(14, (index) =>
        ask('POST', `${path}/test`, { policy: { rules }, context: { ...call, input: input(index) } }),
      ),
    'calls with the largest bodies that need an approval': async ({ ask, execute, workspaceId }) => {
      const policy = { name: 'Large', workspaceId, decision: 'require_approval', riskMode: 'always' };
      const made = await ask('POST', path, policy);
      await Promise.all(DISGUISED.map((part) => execute(largest(part))));
      await ask('DELETE', `${path}/${made?.body.policy.id}`);
    },
    'calls with slow texts under a policy': async ({ ask, execute, workspaceId }) => {
      const made = await ask('POST', path, { name: 'Slow', workspaceId, decision: 'block', rules });
      await inParallel(14, (index) => execute({ ...call, input: input(index) }));
      await ask('DELETE', `${path}/${made?.body.policy.id}`);
    },
  };
}
