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
/** Shorter than the lease of the run that waits for it. */
const USE = { withinMs: 10_000, pauseMs: 250, timeoutMs: 2_000 };

/** The approvals service, as the steps of an execution ask it. What it does not answer may not run: all throw UNAVAILABLE. */
export interface PolicyGate {
  /** Undefined: the organization has no policies. Fails as the service does. */
  admit(request: AdmitRequest): Promise<Admission['admission']>;
  /** The same, without a call that means it. */
  judge(request: JudgeRequest): Promise<Verdict | undefined>;
  /** For this run. Throws FORBIDDEN where another one used it. */
  useApproval(approval: Approved, run: Pick<Run, 'id' | 'workspaceId'>): Promise<void>;
}

export function policyGate(service: Client<GateServiceDefinition>): PolicyGate {
  const isGuarded = memoize({ ttlMs: REMEMBER_MS }, async (_orgId) => (await service.getGate({})).guarded);
  const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer | undefined> =>
    orUnavailable(async () => ((await isGuarded(caller().orgId)) ? question() : undefined));
  return {
    admit: (request) => ask(async () => (await service.admit(request, ADMIT)).admission),
    judge: (request) => ask(() => service.judge(request)),
    useApproval: ({ approvalId }, { id: executionId, workspaceId }) =>
      orUnavailable(() => insist(() => service.useApproval({ approvalId, executionId, workspaceId }))),
  };
}

/** It may be used although nobody heard of it: the same run asks again, whether its caller has gone or not. */
async function insist(use: () => Promise<unknown>): Promise<void> {
  const patience = { until: performance.now() + USE.withinMs, pauseMs: USE.pauseMs, mayPass: isOutage };
  await keepTrying(patience, () => detached(use, USE.timeoutMs));
}

async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!isOutage(error)) throw error;
    const message = 'Approval policies can not be asked at the moment, and nothing was run; try again';
    throw new ApiError('UNAVAILABLE', message, { cause: error });
  }
}
