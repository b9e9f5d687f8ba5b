import { isBuiltIn } from '@drawbridge/pieces';
import { currentContext } from '@drawbridge/rpc';
import { type CodeSlot } from '../running/code-runner.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';

/**
 * Waits for a slot of the sandbox if the action runs code. It comes before the policies and the claim: a caller that hangs up or is refused has run
 * nothing, and the policies are evaluated after the wait. Throws RATE_LIMITED and TIMEOUT.
 */
export async function acquireSandbox(
  { code }: Pick<Pipeline, 'code'>,
  { request, who, piece, action, invocation }: ActionCall & ResolvedCall,
): Promise<CodeSlot | undefined> {
  if (!action.usesSandbox || !isBuiltIn(piece.name)) return undefined;
  const caller = JSON.stringify([request.workspaceId, invocation.instance?.alias, request.endUserId]);
  return code.acquire({ organization: who.orgId, caller, signal: currentContext()?.signal });
}
