import { ApiError } from '@drawbridge/contracts';
import { type CodeRunner, type ProgramRunner } from '@drawbridge/piece-kit';
import { isBuiltIn } from '@drawbridge/pieces';
import { currentContext } from '@drawbridge/rpc';
import { LiveRun } from '../live/live-run.js';
import { type CodeSlot } from '../running/code-runner.js';
import { type ContainerSlot } from '../running/container-runner.js';
import { openMount } from '../state/mounts.js';
import { type ClaimedRun } from './claim.js';
import { codeFetch } from './code-fetch.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';

/**
 * Waits for a sandbox slot if the action runs code. This happens before the policies are evaluated and the key is claimed, so that nothing was
 * executed if the wait fails, and the evaluation is not outdated after a long wait. Throws RATE_LIMITED and TIMEOUT.
 */
export async function acquireSlot(
  { code, containers }: Pick<Pipeline, 'code' | 'containers'>,
  { request, who, piece, action, invocation }: ActionCall & ResolvedCall,
): Promise<CodeSlot | ContainerSlot | undefined> {
  if (!action.usesSandbox || !isBuiltIn(piece.name)) return undefined;
  const caller = JSON.stringify([request.workspaceId, invocation.instance?.alias, request.endUserId]);
  const slots = action.runsProgram ? containers : code;
  return slots.acquire({ organization: who.orgId, caller, signal: currentContext()?.signal });
}

/**
 * Throws FORBIDDEN for a program with network access if a policy with host rules applies to it. Only the egress proxy knows the hosts that the
 * program connects to, and the proxy cannot evaluate policies.
 */
export function requireKnownHosts({ action, invocation, hasHostRules }: KnownHosts): void {
  if (!hasHostRules || !action.runsProgram || !invocation.instance?.advancedCode?.network) return;
  throw new ApiError(
    'FORBIDDEN',
    'Programs of this integration have network access, and an approval policy with a domain list applies to them. Drawbridge cannot evaluate it for the hosts that a program calls. Set settings.advancedCode.network to false, or limit the policy to other integrations',
  );
}

type KnownHosts = Pick<ResolvedCall, 'action' | 'invocation'> & {
  /** True if a policy with host rules applies to the call. */
  hasHostRules: boolean;
};

/**
 * Calls `use` with the sandbox of the run, or with undefined if the action runs no code. The run log displays the console while the run is active.
 * The settings of the configured integration determine whether the code can send requests.
 */
export async function withSandbox<Result>(
  pipeline: Pick<Pipeline, 'pool' | 'log' | 'senderFor'>,
  claimed: ClaimedRun,
  use: (sandbox: CodeRunner | ProgramRunner | undefined) => Promise<Result>,
): Promise<Result> {
  const { slot, run, redact, invocation, requireRedirect } = claimed;
  if (!slot) return use(undefined);
  const live = new LiveRun(pipeline, run, redact.text);
  const onConsole: LiveRun['onConsole'] = (line) => live.onConsole(line);
  if ('open' in slot)
    return use(openProgram(slot, claimed, { pool: pipeline.pool, onConsole })).finally(() => live.end());
  const sender = invocation.instance?.codeFetch ? pipeline.senderFor(run.orgId, requireRedirect) : undefined;
  const functions = sender && { fetch: codeFetch({ send: sender.send, requireRedirect }) };
  return use({ run: (request) => slot.run({ ...request, onConsole, functions }) }).finally(async () => {
    sender?.release();
    await live.end();
  });
}

type Around = Pick<Pipeline, 'pool'> & Pick<LiveRun, 'onConsole'>;

/** Opens the slot with the stored files and the persistent environment of the program. The id of their owner must already be resolved. */
function openProgram(slot: ContainerSlot, claimed: ClaimedRun, { pool, onConsole }: Around): ProgramRunner {
  const { invocation, space, environment, run } = claimed;
  return slot.open({
    settings: invocation.instance?.advancedCode ?? {},
    mount: space && openMount(pool, space),
    environment: environment && { key: JSON.stringify(environment), tenant: run.orgId },
    onConsole,
  });
}
