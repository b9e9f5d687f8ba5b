import { refused } from '@drawbridge/contracts';
import { type Action, isSecretOf } from '@drawbridge/piece-kit';
import { type ActionExplanation, type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { caller } from '@drawbridge/rpc';
import { toLoggedInput } from '../run-log/logged-json.js';
import { stateSpaceOf } from '../state/state-space.js';
import { toExplainedPolicy, toGatedCall } from './gate.js';
import { NOTHING, toSelection } from './connection.js';
import { type Pipeline } from './pipeline.js';
import { requireCode } from './resolve.js';
import { requireKnownHosts } from './run-code.js';

type Needs = Pick<Pipeline, 'invocations' | 'vault' | 'policies' | 'requireWorkspace'>;

/**
 * Explains which integration, connection and input executeAction would use, and why. Stops before the connection is opened: no credential is
 * decrypted, and nothing is claimed or recorded. Throws the same errors as executeAction for names that do not exist.
 */
export async function explain(
  { invocations, vault, policies, requireWorkspace }: Needs,
  request: ExecuteActionRequest,
): Promise<ActionExplanation> {
  await requireWorkspace(request.workspaceId);
  const found = await invocations.explainInvocation(request);
  const { invocation, instance, lostInstances, partials, lostPartials, inputSchema } = found;
  const code = requireCode(request);
  const { orgId } = caller();
  const isAmbiguous = !instance && lostInstances.length > 0;
  const selection = isAmbiguous ? undefined : toSelection(request, invocation!);
  const connection = selection && (await vault.explainConnection(selection));
  const homeless = await refused(() => stateSpaceOf({ orgId, request, invocation: invocation!, ...code }));
  const refusal = found.refusal ?? homeless ?? connection?.refusal;
  const input = invocation?.input ?? {};
  const { workspaceId } = request;
  const gated = toGatedCall({ ...request, instance: invocation?.instance, input, action: code.action });
  const verdict = refusal || isAmbiguous ? undefined : await policies.judge({ workspaceId, call: gated });
  const hasHostRules = verdict?.redirects !== undefined;
  const unknownHosts = await refused(async () =>
    requireKnownHosts({ action: code.action, invocation: invocation!, hasHostRules }),
  );
  return {
    refusal: refusal ?? verdict?.refusal ?? unknownHosts,
    instance,
    connection: connection?.used,
    partials,
    settings: JSON.parse(found.settingsJson),
    input: shown(code.action, input),
    inputSchema,
    lost: { instances: lostInstances, connections: connection?.lost ?? [], partials: lostPartials },
    policy: toExplainedPolicy(verdict),
  };
}

/** Redacts the input as the run log does. */
function shown(action: Action, input: object): ActionExplanation['input'] {
  return JSON.parse(toLoggedInput(input, isSecretOf(action), NOTHING));
}
