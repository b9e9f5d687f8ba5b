import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { describeError, detached } from '@drawbridge/rpc';
import { type Pipeline } from '../pipeline/pipeline.js';

/** The credential that a run used, and its workspace. Without a connection there is none. */
export interface UsedCredential {
  request: { workspaceId?: string };
  connectionId?: string;
  version?: string;
}

/** The run's answer waits for this: a caller that reads of a refused credential finds its connection in ERROR. */
const MARK_MS = 5_000;

/**
 * Notifies the vault that the provider refused a credential. Never rejects: the run's outcome does not change, and the next run
 * detects the refusal again. Continues if the caller hangs up.
 */
export async function refuseConnection(
  { vault, log }: Pipeline,
  { request: { workspaceId }, connectionId, version }: UsedCredential,
  failure: ActionFailure,
): Promise<void> {
  if (connectionId === undefined || version === undefined) return;
  const { code, message } = failure.details?.provider ?? {};
  const told = { code: code ?? 'unauthorized', message: message ?? failure.message };
  const request = { connectionId, workspaceId, version, ...told };
  await detached(() => vault.refuseConnection(request), MARK_MS).catch((error: unknown) => {
    log.error({ connectionId, error: describeError(error) }, 'a connection that its provider refused is still in use');
  });
}
