import { newId } from '@drawbridge/contracts';
import { isSecretOf } from '@drawbridge/piece-kit';
import { caller, currentContext, requireInTime, withSpan } from '@drawbridge/rpc';
import { type Lease, releaseClaim } from '../claims/idempotency-key.js';
import { toLoggedInput } from '../run-log/logged-json.js';
import { isLogged } from '../run-log/executions.js';
import { type Run } from '../run-log/record.js';
import { type Admitted } from './gate.js';
import { type OpenedCredential } from './connection.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';

/** Everything that a run needs. All of it is determined before the run starts. */
export type RunPlan = ActionCall & ResolvedCall & OpenedCredential & Pick<Admitted, 'approval' | 'requireRedirect'>;

export interface ClaimedRun extends RunPlan {
  run: Run;
  /** The lease of the idempotency key. It is renewed until the result of the run is stored. */
  lease?: Lease;
}

/**
 * Claims the idempotency key in a separate transaction, so that the run happens at most once. Returns undefined if another run claimed the key first.
 * Then counts the run against the quota of the plan (a repeated key is not counted) and uses up the approval of the call. This is the last step that
 * may throw.
 */
export async function claim(pipeline: Pipeline, plan: RunPlan): Promise<ClaimedRun | undefined> {
  const { key } = plan;
  const run = toRun(plan);
  requireInTime(); // A caller that disconnects cancels the steps up to here, and the run if it disconnects while the key is claimed.
  pipeline.runs.requireCapacity();
  if (!key) return { ...plan, run: await counted(pipeline, run) };
  const isOurs = await withSpan('claim', () => pipeline.takeClaim(key, run));
  if (!isOurs) return undefined;
  const allowed = await allow(pipeline, run, plan).catch(async (error: unknown) => {
    await releaseClaim(pipeline.pool, key, run);
    throw error;
  });
  return { ...plan, run: allowed, lease: pipeline.leases.hold(key, run) };
}

/**
 * Counts the run against the quotas and uses up its approval. Throws QUOTA_EXCEEDED, FORBIDDEN if another run used the approval, and UNAVAILABLE if
 * the approvals service cannot be reached. FORBIDDEN and UNAVAILABLE restore the quotas.
 */
async function allow(pipeline: Pipeline, run: Run, { approval }: RunPlan): Promise<Run> {
  requireInTime(); // The claim may have waited for a slow database.
  const allowed = await counted(pipeline, run);
  if (!approval?.mustUse) return allowed;
  // An execution that is not in the run log has released its claim and never ran. The log contains every execution that may have run.
  const neverRan = async (executionId: string): Promise<boolean> =>
    !(await isLogged(pipeline.pool, run.orgId, executionId));
  try {
    await pipeline.policies.useApproval(approval, run, neverRan);
  } catch (error) {
    restoreCounted(pipeline, allowed);
    throw error;
  }
  return allowed;
}

/** Counts the run against the quotas of actions and sandbox runs. Throws QUOTA_EXCEEDED. */
async function counted(pipeline: Pipeline, run: Run): Promise<Run> {
  const { actionQuota, sandboxQuota } = pipeline;
  const leased = { ...run, quotaLeaseId: await actionQuota.take(caller()) };
  if (!run.usedSandbox) return leased;
  try {
    return { ...leased, sandboxLeaseId: await sandboxQuota.take(caller()) };
  } catch (error) {
    actionQuota.restore(run.orgId, leased.quotaLeaseId);
    throw error;
  }
}

function restoreCounted({ actionQuota, sandboxQuota }: Pipeline, run: Run): void {
  actionQuota.restore(run.orgId, run.quotaLeaseId);
  sandboxQuota.restore(run.orgId, run.sandboxLeaseId);
}

function toRun(plan: RunPlan): Run {
  const { request, who, invocation, input, action, connectionId, redact, approval, slot } = plan;
  const { integrationName, actionName, workspaceId, endUserId } = request;
  const context = currentContext();
  return {
    id: newId(),
    orgId: who.orgId,
    source: who.source,
    integrationName,
    integrationAlias: invocation.instance?.alias,
    actionName,
    workspaceId,
    userId: who.userId,
    keyId: who.keyId,
    requestId: context?.requestId ?? '',
    address: context?.address,
    endUserId,
    connectionId,
    approvalId: approval?.approvalId,
    inputJson: toLoggedInput(input, isSecretOf(action), redact),
    createdAt: new Date().toISOString(),
    ...(slot && { usedSandbox: true }),
  };
}
