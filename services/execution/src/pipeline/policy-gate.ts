import { ApiError, POLICY_STALENESS_MS } from '@drawbridge/contracts';
import { EgressError } from '@drawbridge/egress';
import {
  type Admission,
  type AdmitCodeRunRequest,
  type AdmitRequest,
  type Approved,
  type CodeRunApprovals,
  type GateServiceDefinition,
  type GetCodeRunApprovalsRequest,
  type JudgeRedirectRequest,
  type JudgeRequest,
  type Verdict,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller, type Client, detached, isOutage, keepTrying, memoize } from '@drawbridge/rpc';
import { type Run } from '../run-log/record.js';

/** Allows for up to three calls of a model. */
const ADMIT = { timeoutMs: 40_000 };
const JUDGE_REDIRECT_MS = 10_000;
/** Shorter than the lease of the run that waits. A run that gives up loses nothing: the next run takes the approval over. */
const USE = { withinMs: 5_000, pauseMs: 250, timeoutMs: 2_000 };

/** The client of the approvals service. A call that cannot be evaluated must not run, so every method throws UNAVAILABLE or TIMEOUT. */
export interface PolicyGate {
  /** Returns undefined if the organization has no policies. Fails as the service does. */
  admit(request: AdmitRequest): Promise<Admission | undefined>;
  /** Evaluates a call as `admit` does, but creates and uses no approval. */
  judge(request: JudgeRequest): Promise<Verdict | undefined>;
  /** Evaluates the calls that a program will make. Returns undefined, without `toRequest`, if the organization has no policies. */
  admitCodeRun(toRequest: () => Promise<AdmitCodeRunRequest>): Promise<CodeRunApprovals | undefined>;
  /** Returns the approvals of a run, also if the organization has no policies any longer. */
  getCodeRunApprovals(request: GetCodeRunApprovalsRequest): Promise<CodeRunApprovals>;
  /** Throws EgressError if a policy blocks the redirect to this host, or if the policies cannot be evaluated. */
  requireRedirect(request: JudgeRedirectRequest): Promise<void>;
  /** Uses the approval for this run. Takes it over from a run for which `neverRan` returns true; otherwise throws FORBIDDEN. */
  useApproval(
    approval: Approved,
    run: Pick<Run, 'id' | 'workspaceId'>,
    neverRan: (executionId: string) => Promise<boolean>,
  ): Promise<void>;
}

export function policyGate(service: Client<GateServiceDefinition>): PolicyGate {
  const isGuarded = memoize({ ttlMs: POLICY_STALENESS_MS }, async (_orgId) => (await service.getGate({})).guarded);
  const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> =>
    orUnavailable(async () => ((await isGuarded(caller().orgId)) ? question() : undefined));
  return {
    admit: (request) => ask(() => service.admit(request, ADMIT)),
    judge: (request) => ask(() => service.judge(request)),
    admitCodeRun: (toRequest) => ask(async () => service.admitCodeRun(await toRequest(), ADMIT)),
    getCodeRunApprovals: (request) => orUnavailable(() => service.getCodeRunApprovals(request)),
    requireRedirect: (request) => requireRedirect(service, request),
    useApproval: ({ approvalId }, { id: executionId, workspaceId }, neverRan) => {
      const use = (insteadOf?: string): Promise<unknown> =>
        insist(() => service.useApproval({ approvalId, executionId, workspaceId, insteadOf }));
      const takeOver = async (refusal: unknown): Promise<unknown> => {
        const usedBy = userIn(refusal);
        if (usedBy === undefined || !(await neverRan(usedBy))) throw refusal;
        return use(usedBy);
      };
      return orUnavailable(async () => void (await use().catch(takeOver)));
    },
  };
}

/** Is detached from the call: the run continues after its caller hangs up. */
async function requireRedirect(service: Client<GateServiceDefinition>, request: JudgeRedirectRequest): Promise<void> {
  const { host } = request;
  const asked = detached(() => service.judgeRedirect(request), JUDGE_REDIRECT_MS);
  const { policyName } = await asked.catch(() => {
    throw new EgressError('UNREACHABLE', 'the redirect was not followed: approval policies cannot be asked now', host);
  });
  if (policyName === undefined) return;
  const remedy = `Send the request to ${host} directly, so that the policy is evaluated, or change the policy`;
  throw new EgressError(
    'REDIRECT_BLOCKED',
    `the approval policy ${policyName} stops a redirect to this host. ${remedy}`,
    host,
  );
}

/** Returns the execution that already used the approval, from the details of the refusal. */
function userIn(refusal: unknown): string | undefined {
  const executionId = refusal instanceof ApiError ? refusal.details.executionId : undefined;
  return typeof executionId === 'string' ? executionId : undefined;
}

/** Retries, because an approval may be used although the answer was lost. Continues if the caller hangs up. */
async function insist(use: () => Promise<unknown>): Promise<void> {
  const patience = { until: performance.now() + USE.withinMs, pauseMs: USE.pauseMs, mayPass: isAway };
  await keepTrying(patience, () => detached(use, USE.timeoutMs));
}

/** Returns true if the service cannot be reached or does not answer in time. */
const isAway = (error: unknown): boolean => isOutage(error) || (error instanceof ApiError && error.code === 'TIMEOUT');

async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!isAway(error)) throw error;
    const message = 'Approval policies cannot be evaluated at the moment. Nothing was executed: try again';
    throw new ApiError(isOutage(error) ? 'UNAVAILABLE' : 'TIMEOUT', message, { cause: error });
  }
}
