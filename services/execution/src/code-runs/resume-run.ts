import { ApiError, newId } from '@drawbridge/contracts';
import {
  type CodeFailed,
  type CodeRunResult,
  type CodeSurface,
} from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { currentContext, describeError, detached } from '@drawbridge/rpc';
import { acquireSlot, type CodeRun, type CodeRuns, PART_MS } from './code-run.js';
import { takeRow, type TakenRun } from './code-run-rows.js';
import { ReplayedCalls } from './replayed-calls.js';
import { damaged, failed, interrupted } from './results.js';
import { type Part, runPart } from './run-part.js';
import { CodeReport } from './run-report.js';
import { startRow, takeQuota } from './sandbox-use.js';
import { openRun, type RunSource, toDataKey } from './seal-run.js';
import { LeaseLostError, type RunKey, StoredRun } from './stored-run.js';

/**
 * Continues an approved run from its snapshot, or from its code if it never paused. Returns undefined if another process executes the run. Throws
 * RATE_LIMITED or TIMEOUT if no sandbox slot becomes free. Throws QUOTA_EXCEEDED if the run has not started yet and the quota is used up.
 */
export async function resumeRun(
  needs: CodeRuns,
  run: CodeRun,
  surface: CodeSurface,
): Promise<CodeRunResult | undefined> {
  const slot = await acquireSlot(needs, surface, currentContext()?.signal);
  const part = detached(() => takeAndRun(needs, { run, surface, slot }), PART_MS);
  const ended = part.catch((error: unknown) => {
    if (error instanceof LeaseLostError) return undefined;
    throw error;
  });
  return needs.pipeline.runs.track(ended.finally(slot.release));
}

type Resumed = Pick<Part, 'run' | 'surface' | 'slot'>;

async function takeAndRun(needs: CodeRuns, { run, surface, slot }: Resumed): Promise<CodeRunResult | undefined> {
  const holder = newId();
  const taken = await takeRow(needs.pipeline.pool, run, holder);
  if (!taken) return undefined;
  const report = new CodeReport(taken);
  const stored = new StoredRun(needs, { run, report, holder });
  stored.hold();
  const opened = await prepare(needs, run, taken, { report, holder }).catch(async (error: unknown) => {
    await stored.release().catch(() => undefined);
    throw error;
  });
  if (!('source' in opened)) {
    const result = failed(run.id, report, opened);
    await stored.end(result).finally(() => stored.stop());
    return result;
  }
  const { source, key, replayed } = opened;
  stored.key = key;
  return runPart(needs, { run, surface, source, report, stored, slot, replayed });
}

type Prepared = { source: RunSource; key: RunKey; replayed?: ReplayedCalls };

/** Decrypts the state of a run. If the program has not started yet, counts it against the quota. Returns an error if the run cannot be continued. */
async function prepare(
  needs: CodeRuns,
  run: CodeRun,
  taken: TakenRun,
  { report, holder }: { report: CodeReport; holder: string },
): Promise<Prepared | CodeFailed> {
  if (taken.isLost) return interrupted(report);
  const opened = await open(needs, run, taken);
  if (!opened) return damaged(report);
  if (!taken.isStarted) await begin(needs, run, holder);
  const replayed = taken.hasCrashed ? await ReplayedCalls.find(needs.pipeline.pool, run) : undefined;
  return { ...opened, replayed };
}

/** Returns undefined if the state cannot be decrypted. Throws the errors of the key service. */
async function open(
  { dataKeys, pipeline }: CodeRuns,
  run: CodeRun,
  { dataKeyId, sealed, expiresAt: runExpiresAt, hasCrashed }: TakenRun,
): Promise<{ source: RunSource; key: RunKey } | undefined> {
  try {
    const { key: bytes } = await dataKeys.openDataKey({ workspaceId: run.workspaceId, id: dataKeyId });
    const key = toDataKey(bytes);
    // The process that exited may have extended the expiry of the run, but not the expiry of its key. An expiry in the past makes the next stored
    // state use a new key.
    const expiresAt = hasCrashed ? new Date(0) : runExpiresAt;
    return { source: openRun(sealed, key, run), key: { id: dataKeyId, key, expiresAt } };
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'NOT_FOUND') throw error;
    pipeline.log.error(
      { codeRunId: run.id, error: describeError(error) },
      'the stored state of a run cannot be decrypted',
    );
    return undefined;
  }
}

/** Counts a run that starts against the quota, and records the start. Throws QUOTA_EXCEEDED, and LeaseLostError if another process has the lease. */
async function begin(needs: CodeRuns, run: CodeRun, holder: string): Promise<void> {
  const lease = await takeQuota(needs, run);
  const starting = startRow(needs.pipeline.pool, run, { sandboxLeaseId: lease.id, holder });
  if (!(await starting.catch(lease.restoreAndThrow))) lease.restoreAndThrow(new LeaseLostError());
  needs.pipeline.onRecorded();
}
