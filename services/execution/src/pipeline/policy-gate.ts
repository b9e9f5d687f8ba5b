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

/** The timeout allows for three sequential requests to the risk model, each of which takes up to 10 s. */
const ADMIT = { timeoutMs: 40_000 };
const JUDGE_REDIRECT_MS = 10_000;
/**
 * Attempts to use an approval end before the lease of the run lapses. If all attempts fail, the next run with the same idempotency key can take over
 * the approval.
 */
const USE = { withinMs: 5_000, pauseMs: 250, timeoutMs: 2_000 };

/**
 * The client of the approvals service. A call must not run unless the policies were evaluated, so every method throws UNAVAILABLE or TIMEOUT if the
 * service fails.
 */
export interface PolicyGate {
  /** Returns whether the organization has policies. If not, `admit` returns undefined for each call. Throws UNAVAILABLE or TIMEOUT. */
  isGuarded(): Promise<boolean>;
  /** Decides whether a call may run. Returns undefined if the organization has no policies. Throws the errors of the service. */
  admit(request: AdmitRequest): Promise<Admission | undefined>;
  /** Evaluates a call like `admit`, but neither creates nor uses an approval. */
  judge(request: JudgeRequest): Promise<Verdict | undefined>;
  /** Evaluates the calls that a program will make. If the organization has no policies, returns undefined and does not call `toRequest`. */
  admitCodeRun(toRequest: () => Promise<AdmitCodeRunRequest>): Promise<CodeRunApprovals | undefined>;
  /** Returns the approvals of a Code Mode run, even if the organization no longer has policies. */
  getCodeRunApprovals(request: GetCodeRunApprovalsRequest): Promise<CodeRunApprovals>;
  /** Throws EgressError if a policy blocks the redirect to this host, or if the policies cannot be evaluated. */
  requireRedirect(request: JudgeRedirectRequest): Promise<void>;
  /**
   * Uses up the approval for this run. If another run already used it, calls `neverRan` with the id of that run: takes over the approval if the
   * result is true, and throws FORBIDDEN otherwise.
   */
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
    isGuarded: () => orUnavailable(() => isGuarded(caller().orgId)),
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

/** Checks a redirect. The check is not canceled with the request, because a claimed run continues after its caller disconnects. */
async function requireRedirect(service: Client<GateServiceDefinition>, request: JudgeRedirectRequest): Promise<void> {
  const { host } = request;
  const asked = detached(() => service.judgeRedirect(request), JUDGE_REDIRECT_MS);
  const { policyName } = await asked.catch(() => {
    throw new EgressError(
      'UNREACHABLE',
      'the redirect was not followed, because the approval policies could not be evaluated',
      host,
    );
  });
  if (policyName === undefined) return;
  const remedy = `Send the request to ${host} directly, so that the policy is evaluated, or change the policy`;
  throw new EgressError(
    'REDIRECT_BLOCKED',
    `the approval policy ${policyName} stops a redirect to this host. ${remedy}`,
    host,
  );
}

/** Returns the id of the execution that used the approval, from the details of a FORBIDDEN error. */
function userIn(refusal: unknown): string | undefined {
  const executionId = refusal instanceof ApiError ? refusal.details.executionId : undefined;
  return typeof executionId === 'string' ? executionId : undefined;
}

/**
 * Calls `use` until the service responds, because the service may have used the approval although its response was lost. Continues if the caller
 * disconnects.
 */
async function insist(use: () => Promise<unknown>): Promise<void> {
  const patience = { until: performance.now() + USE.withinMs, pauseMs: USE.pauseMs, mayPass: isAway };
  await keepTrying(patience, () => detached(use, USE.timeoutMs));
}

/** Returns true if the service cannot be reached or does not respond in time. */
const isAway = (error: unknown): boolean => isOutage(error) || (error instanceof ApiError && error.code === 'TIMEOUT');

async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!isAway(error)) throw error;
    const message = 'Approval policies could not be evaluated. Nothing was executed. Try again.';
    throw new ApiError(isOutage(error) ? 'UNAVAILABLE' : 'TIMEOUT', message, { cause: error });
  }
}
