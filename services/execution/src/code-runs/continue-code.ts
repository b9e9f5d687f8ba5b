import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import {
  type CodeFailed,
  type CodeRunResult,
  type ContinueCodeRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { caller, currentContext, requireInTime } from '@drawbridge/rpc';
import { type CodeRun, type CodeRuns } from './code-run.js';
import { endRow, findRow } from './code-run-rows.js';
import { endBy, failed, ready, surfaceChanged, waiting } from './results.js';
import { resumeRun } from './resume-run.js';
import { CodeReport } from './run-report.js';

const POLL_MS = 1_000;
const MAX_WAIT_SECONDS = 60;
/** Maximum time that a continuation waits while another process executes the program. */
const RUN_MS = 310_000;

/** The times at which a continuation stops waiting, in milliseconds of `performance.now()`. */
interface Patience {
  /** End of the wait for a decision. */
  decisionUntil: number;
  /** End of the wait while another process executes the program. */
  runUntil: number;
}

interface Attempt extends Patience {
  /** True if decisions must be read from the approvals service. Later attempts use the cache, which all continuations of the run share. */
  isFirst: boolean;
}

/** Continues a run as soon as its approvals are granted, or returns its stored result. Throws the errors that the RPC ContinueCode documents. */
export async function continueCode(needs: CodeRuns, request: ContinueCodeRequest): Promise<CodeRunResult> {
  await needs.pipeline.requireWorkspace(request.surface!.workspaceId);
  const release = needs.waits.tryAcquire(caller().orgId);
  const now = performance.now();
  const seconds = Math.min(Math.max(0, request.waitSeconds), MAX_WAIT_SECONDS);
  const patience = release
    ? { decisionUntil: now + seconds * 1_000, runUntil: now + RUN_MS }
    : { decisionUntil: now, runUntil: now };
  try {
    for (let isFirst = true; ; isFirst = false) {
      const result = await attempt(needs, request, { ...patience, isFirst });
      if (result) return result;
      await sleep(POLL_MS, undefined, { signal: currentContext()?.signal }).catch(() => undefined);
      requireInTime();
    }
  } finally {
    release?.();
  }
}

/** Returns undefined if the continuation should wait and try again. */
async function attempt(
  needs: CodeRuns,
  { surface, approvalId, returnsReady }: ContinueCodeRequest,
  { isFirst, ...patience }: Attempt,
): Promise<CodeRunResult | undefined> {
  const { pipeline, decisions } = needs;
  const { orgId } = caller();
  const { workspaceId, mcpServerId, endUserId, endUserRecordId, hash } = surface!;
  const owner = { orgId, workspaceId, mcpServerId, endUserId, endUserRecordId };
  const found = await findRow(pipeline.pool, approvalId, owner);
  if (found.result) return found.result;
  const { id, codeHash, surfaceHash } = found;
  const run: CodeRun = { ...owner, id, codeHash, surfaceHash };
  const report = new CodeReport(found);
  if (!found.isHeld && hash !== found.surfaceHash) return endUnheld(needs, run, report, surfaceChanged(report));

  if (isFirst) decisions.forget(run.id);
  const { approvals } = await decisions(run.id, workspaceId);
  const refusal = endBy(approvals, report);
  if (refusal && !found.isHeld) return endUnheld(needs, run, report, refusal);
  const pending = approvals.filter(({ status }) => status === 'pending');
  if (pending.length === 0 && !found.isHeld)
    return returnsReady && !isFirst ? ready(run.id, report) : resumeRun(needs, run, surface!);
  return whileWaiting({ run, report, pending }, patience);
}

/**
 * Returns undefined while there is time left to wait. After that, returns the pending approvals, or throws DUPLICATE if another process still
 * executes the program.
 */
function whileWaiting(
  { run, report, pending }: { run: CodeRun; report: CodeReport; pending: Approval[] },
  { decisionUntil, runUntil }: Patience,
): CodeRunResult | undefined {
  const now = performance.now();
  if (pending.length > 0)
    return now < decisionUntil ? undefined : waiting(run.id, report, { approvals: pending, isNew: false });
  if (now < runUntil) return undefined;
  const details = { reason: 'in_progress', retryAfter: 5 };
  throw new ApiError('DUPLICATE', `Run ${run.id} is still in progress. Try again in 5 s.`, { details });
}

/** Ends a run that no process executes. Returns undefined if another process took or ended the run in the meantime. */
async function endUnheld(
  { pipeline }: CodeRuns,
  run: CodeRun,
  report: CodeReport,
  value: CodeFailed,
): Promise<CodeRunResult | undefined> {
  const result = failed(run.id, report, value);
  return (await endRow(pipeline.pool, run, result)) ? result : undefined;
}
