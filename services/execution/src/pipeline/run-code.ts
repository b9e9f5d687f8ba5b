import { type CodeRunner } from '@drawbridge/piece-kit';
import { isBuiltIn } from '@drawbridge/pieces';
import { currentContext } from '@drawbridge/rpc';
import { LiveRun } from '../live/live-run.js';
import { type CodeSlot } from '../running/code-runner.js';
import { type ClaimedRun } from './claim.js';
import { codeFetch } from './code-fetch.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';

/**
 * Waits for a slot of the sandbox if the action runs code. It comes before the policies and the claim: a caller that hangs up or is refused has run
 * nothing, and the policies are evaluated after the wait. Throws RATE_LIMITED and TIMEOUT.
 */
export async function acquireSlot(
  { code }: Pick<Pipeline, 'code'>,
  { request, who, piece, action, invocation }: ActionCall & ResolvedCall,
): Promise<CodeSlot | undefined> {
  if (!action.usesSandbox || !isBuiltIn(piece.name)) return undefined;
  const caller = JSON.stringify([request.workspaceId, invocation.instance?.alias, request.endUserId]);
  return code.acquire({ organization: who.orgId, caller, signal: currentContext()?.signal });
}

/**
 * Runs the action with a sandbox, whose console is in the run log while the run is under way. The settings of the configured integration decide
 * whether its code has a network.
 */
export async function withSandbox<Result>(
  pipeline: Pick<Pipeline, 'pool' | 'log' | 'senderFor'>,
  { slot, run, redact, invocation, requireRedirect }: ClaimedRun,
  use: (sandbox: CodeRunner | undefined) => Promise<Result>,
): Promise<Result> {
  if (!slot) return use(undefined);
  const live = new LiveRun(pipeline, run, redact.text);
  const onConsole: LiveRun['onConsole'] = (line) => live.onConsole(line);
  const sender = invocation.instance?.codeFetch ? pipeline.senderFor(run.orgId, requireRedirect) : undefined;
  const functions = sender && { fetch: codeFetch({ send: sender.send, requireRedirect }) };
  return use({ run: (request) => slot.run({ ...request, onConsole, functions }) }).finally(async () => {
    sender?.release();
    await live.end();
  });
}
