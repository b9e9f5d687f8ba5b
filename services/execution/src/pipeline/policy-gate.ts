import { ApiError, POLICY_STALENESS_MS } from '@drawbridge/contracts';
import { EgressError } from '@drawbridge/egress';
import {
  type Admission,
  type AdmitRequest,
  type Approved,
  type GateServiceDefinition,
  type JudgeRedirectRequest,
  type JudgeRequest,
  type Verdict,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller, type Client, detached, isOutage, keepTrying, memoize } from '@drawbridge/rpc';
import { type Run } from '../run-log/record.js';

/** A model may be asked, three times. */
const ADMIT = { timeoutMs: 40_000 };
const JUDGE_REDIRECT_MS = 10_000;
/** Shorter than the lease of the run that waits for it. Who gives up loses nothing: the next one takes over. */
const USE = { withinMs: 5_000, pauseMs: 250, timeoutMs: 2_000 };

/** The approvals service, as the steps of an execution ask it. What it does not answer may not run: all throw UNAVAILABLE and TIMEOUT. */
export interface PolicyGate {
  /** Undefined: the organization has no policies. Fails as the service does. */
  admit(request: AdmitRequest): Promise<Admission | undefined>;
  /** The same, without a call that means it. */
  judge(request: JudgeRequest): Promise<Verdict | undefined>;
  /** Throws EgressError where a policy does not let the call go to this host, and where the policies cannot be asked. */
  requireRedirect(request: JudgeRedirectRequest): Promise<void>;
  /** For this run, also in the place of one that used it and of which `neverRan` is sure. Throws FORBIDDEN where another one ran. */
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

/** The run goes on when its caller has gone, so that the question must not end with the call. */
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

/** Which execution has an approval that is refused for that. */
function userIn(refusal: unknown): string | undefined {
  const executionId = refusal instanceof ApiError ? refusal.details.executionId : undefined;
  return typeof executionId === 'string' ? executionId : undefined;
}

/** It may be used although nobody heard of it: the same run asks again, whether its caller has gone or not. */
async function insist(use: () => Promise<unknown>): Promise<void> {
  const patience = { until: performance.now() + USE.withinMs, pauseMs: USE.pauseMs, mayPass: isAway };
  await keepTrying(patience, () => detached(use, USE.timeoutMs));
}

/** It can't be reached, or does not answer in time. */
const isAway = (error: unknown): boolean => isOutage(error) || (error instanceof ApiError && error.code === 'TIMEOUT');

async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!isAway(error)) throw error;
    const message = 'Approval policies can not be asked at the moment, and nothing was run; try again';
    throw new ApiError(isOutage(error) ? 'UNAVAILABLE' : 'TIMEOUT', message, { cause: error });
  }
}
