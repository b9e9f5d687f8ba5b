import { ApiError } from '@drawbridge/contracts';
import {
  type Admission,
  type AdmitRequest,
  type Approved,
  type GateServiceDefinition,
  type JudgeRequest,
  type Verdict,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller, type Client, detached, isOutage, keepTrying, memoize } from '@drawbridge/rpc';
import { type Run } from '../run-log/record.js';

/** A policy that was made must hold everywhere at once: that there is none is believed for a second at most. */
const REMEMBER_MS = 900;
/** A model may be asked, three times. */
const ADMIT = { timeoutMs: 40_000 };
/** Shorter than the lease of the run that waits for it. Who gives up loses nothing: the next one takes over. */
const USE = { withinMs: 5_000, pauseMs: 250, timeoutMs: 2_000 };

/** The approvals service, as the steps of an execution ask it. What it does not answer may not run: all throw UNAVAILABLE and TIMEOUT. */
export interface PolicyGate {
  /** Undefined: the organization has no policies. Fails as the service does. */
  admit(request: AdmitRequest): Promise<Admission['admission']>;
  /** The same, without a call that means it. */
  judge(request: JudgeRequest): Promise<Verdict | undefined>;
  /** For this run, also in the place of one that used it and of which `neverRan` is sure. Throws FORBIDDEN where another one ran. */
  useApproval(
    approval: Approved,
    run: Pick<Run, 'id' | 'workspaceId'>,
    neverRan: (executionId: string) => Promise<boolean>,
  ): Promise<void>;
}

export function policyGate(service: Client<GateServiceDefinition>): PolicyGate {
  const isGuarded = memoize({ ttlMs: REMEMBER_MS }, async (_orgId) => (await service.getGate({})).guarded);
  const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> =>
    orUnavailable(async () => ((await isGuarded(caller().orgId)) ? question() : undefined));
  return {
    admit: (request) => ask(async () => (await service.admit(request, ADMIT)).admission),
    judge: (request) => ask(() => service.judge(request)),
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
