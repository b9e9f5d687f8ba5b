import { invalid } from '@drawbridge/contracts';
import {
  type CodeRunResult,
  type CodeSurface,
  type CodeTool,
  type ExecuteCodeRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { currentContext, detached, requireInTime } from '@drawbridge/rpc';
import { type Slot } from '@drawbridge/sandbox';
import { admitRun } from './admit-run.js';
import { acquireSlot, type CodeRun, type CodeRuns, newCodeRun, PART_MS } from './code-run.js';
import { continueCode } from './continue-code.js';
import { endBy, failed, fromCodeError, fromRefusal, waiting } from './results.js';
import { runPart } from './run-part.js';
import { CodeReport } from './run-report.js';
import { type QuotaLease, startRow, takeQuota } from './sandbox-use.js';
import { LeaseLostError, StoredRun, storeWaiting } from './stored-run.js';

/** Maximum size of a program. It is smaller than the limit of the sandbox, because the approval request contains the code. */
const MAX_CODE_BYTES = 256 * 1024;
/** A program that is ready to start. */
interface Start {
  run: CodeRun;
  surface: CodeSurface;
  code: string;
}

/** Runs a program, or stores it if it must wait for approvals. Throws the errors that the RPC ExecuteCode documents. */
export async function executeCode(needs: CodeRuns, { surface, code }: ExecuteCodeRequest): Promise<CodeRunResult> {
  await needs.pipeline.requireWorkspace(surface!.workspaceId);
  requireSize(code);
  const start = { run: newCodeRun(surface!, code), surface: surface!, code };
  const slot = await acquireSlot(needs, surface!, currentContext()?.signal);
  let isRunning = false;
  try {
    const lease = await takeQuota(needs, start.run);
    const prepared = await prepare(needs, start).catch((error: unknown) => lease.restoreAndThrow(error));
    if (prepared) {
      lease.restore();
      return prepared;
    }
    await begin(needs, start, lease);
    isRunning = true;
    return await needs.pipeline.runs.track(detached(() => run(needs, start, slot), PART_MS));
  } finally {
    if (!isRunning) slot.release();
  }
}

/** Throws VALIDATION_ERROR if the code is too large. */
function requireSize(code: string): void {
  const bytes = Buffer.byteLength(code);
  if (bytes > MAX_CODE_BYTES) throw invalid({ code: `must have at most ${MAX_CODE_BYTES} bytes (got ${bytes})` });
}

/**
 * Analyzes the program and evaluates the policies. Returns a result if the program does not start: it cannot be parsed, a policy blocks one of its
 * calls, or it waits for approval. Otherwise returns undefined.
 */
async function prepare(needs: CodeRuns, start: Start): Promise<CodeRunResult | undefined> {
  const { run, surface, code } = start;
  const report = new CodeReport();
  const analyzed = await needs.analyzer.analyze(run.orgId, { code, tools: surface.tools.map(toAnalyzed) });
  if ('error' in analyzed) return failed(run.id, report, fromCodeError(analyzed.error));
  const { analysis } = analyzed;
  const admitted = await admitRun(needs.pipeline, { ...start, analysis });
  const { path = '', refusal } = admitted?.blocked[0] ?? {};
  // The analysis cannot predict all calls of a dynamic program, so the program may never make the blocked call.
  if (refusal && analysis.analysisConfidence !== 'dynamic') return failed(run.id, report, fromRefusal(path, refusal));
  const opened = admitted?.approvals ?? [];
  // A request can already be decided here, because an approver can be a program that decides at once.
  const refused = endBy(opened, report);
  if (refused) return failed(run.id, report, refused);
  const approvals = opened.filter(({ status }) => status === 'pending');
  if (approvals.length === 0) return undefined;
  await storeWaiting(needs, run, { code, approvals, report });
  return waiting(run.id, report, { approvals, isNew: true });
}

/** Selects the fields that the analysis needs, because they are copied to a worker thread. */
function toAnalyzed({ alias, actionName, integrationName }: CodeTool) {
  return { alias, actionName, integrationName };
}

/** Records that the program starts. From here, the run counts against the quota, no matter how it ends. */
async function begin({ pipeline }: CodeRuns, { run }: Start, lease: QuotaLease): Promise<void> {
  try {
    requireInTime(); // A caller that disconnects cancels the steps up to here, but not a program that has started.
    await startRow(pipeline.pool, run, { sandboxLeaseId: lease.id });
  } catch (error) {
    lease.restoreAndThrow(error);
  }
  pipeline.onRecorded();
}

async function run(needs: CodeRuns, { run, surface, code }: Start, slot: Slot): Promise<CodeRunResult> {
  const report = new CodeReport();
  const source = { code };
  const stored = new StoredRun(needs, { run, report, code });
  // Releases the slot before the run may be continued, because continuing waits for a slot of the same caller.
  const part = runPart(needs, { run, surface, source, report, stored, slot }).finally(slot.release);
  try {
    return await part;
  } catch (error) {
    const approval = stored.pending[0];
    if (!(error instanceof LeaseLostError) || !approval) throw error;
    return await continueCode(needs, { surface, approvalId: approval.id, waitSeconds: 0, returnsReady: false });
  }
}
