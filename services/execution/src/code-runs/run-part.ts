import {
  type CodeFailed,
  type CodeRunResult,
  type CodeSurface,
} from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type CodeError, type Outcome, type Slot, SnapshotError } from '@drawbridge/sandbox';
import { WITHOUT_COMPILERS } from '@drawbridge/code-mode';
import { MAX_CALLS, ToolCalls } from './call-tools.js';
import { type CodeRun, type CodeRuns } from './code-run.js';
import { type ReplayedCalls } from './replayed-calls.js';
import { completed, damaged, failed, fromCodeError, interrupted, otherVersion, tooLarge, waiting } from './results.js';
import { type CodeReport } from './run-report.js';
import { type RunSource } from './seal-run.js';
import { type StoredRun } from './stored-run.js';

const MIB = 1024 * 1024;
/**
 * Limits of one part of a run. `outputBytes` is the limit of the returned value, which an agent receives in one message with the console and the
 * calls.
 */
const LIMITS = {
  wallMs: 300_000,
  calls: MAX_CALLS,
  concurrentCalls: MAX_CALLS,
  memoryBytes: 64 * MIB,
  outputBytes: 8 * MIB,
};
const MAX_SNAPSHOT_BYTES = 8 * MIB;

/**
 * The code before the program. It wraps the program in a function of its own, because the surrounding function of the sandbox has a parameter
 * `input`, and the program may declare a variable of that name.
 */
const PROGRAM_START = `${WITHOUT_COMPILERS}return (async () => {`;
const PROGRAM_END = '\n})()';

/** Thrown if a repeated program makes other calls than before its process exited. */
class DivergedError extends Error {
  override readonly name = 'DivergedError';
}

/** A part of a run: from its start or a pause to the next pause or its end. */
export interface Part {
  run: CodeRun;
  surface: CodeSurface;
  source: RunSource;
  report: CodeReport;
  stored: StoredRun;
  slot: Slot;
  /** The calls that were already made, if the part is repeated because its process exited. */
  replayed?: ReplayedCalls;
}

/** Runs a part of a run and stores its result. Throws LeaseLostError if another process took the run, and the errors of the storage. */
export async function runPart({ pipeline }: Pick<CodeRuns, 'pipeline'>, part: Part): Promise<CodeRunResult> {
  const { run, surface, source, report, stored, slot, replayed } = part;
  const diverged = new AbortController();
  const onDiverged = (): void => diverged.abort(new DivergedError());
  const onPending: StoredRun['remember'] = (approval) => stored.remember(approval);
  const calls = new ToolCalls({ pipeline, surface, run, report, replayed, onPending, onDiverged });
  const request = {
    functions: calls.functions,
    limits: LIMITS,
    onConsole: (line: CodeReport['console'][number]) => void report.console.push(line),
    signal: AbortSignal.any([stored.signal, diverged.signal]),
  };
  try {
    const running =
      'code' in source
        ? slot.run({ ...request, code: `${PROGRAM_START}${source.code}${PROGRAM_END}` })
        : slot.resume(source.snapshot, request);
    return await toResult(part, await running.catch((error: unknown) => toEnd(error, report)), calls);
  } finally {
    stored.stop();
  }
}

async function toResult(part: Part, outcome: Outcome | CodeFailed, calls: ToolCalls): Promise<CodeRunResult> {
  const { run, report } = part;
  if (!('status' in outcome)) return end(part, failed(run.id, report, outcome));
  switch (outcome.status) {
    case 'completed':
      return end(part, completed(run.id, report, outcome.json));
    case 'failed':
      return end(
        part,
        failed(run.id, report, {
          ...fromCodeError(inProgram(outcome.error, part.source)),
          ...calls.errorOf(outcome.error.message),
        }),
      );
    case 'paused':
      return pause(part, outcome.snapshot);
    default:
      return outcome satisfies never;
  }
}

/** Converts a position in the executed code, which is wrapped, to a position in the program. A position after the program becomes its last line. */
function inProgram(error: CodeError, source: RunSource): CodeError {
  const { line, column } = error;
  const lines = 'code' in source ? source.code.split('\n').length : Infinity;
  if (line !== undefined && line > lines) return { ...error, line: lines, column: undefined };
  if (line !== 1 || column === undefined) return error;
  return { ...error, column: Math.max(1, column - PROGRAM_START.length) };
}

async function pause(part: Part, snapshot: Uint8Array): Promise<CodeRunResult> {
  const { run, report, stored } = part;
  const { length } = snapshot;
  if (length > MAX_SNAPSHOT_BYTES)
    return end(part, failed(run.id, report, tooLarge(report, length, MAX_SNAPSHOT_BYTES)));
  await stored.pause(snapshot);
  return waiting(run.id, report, { approvals: stored.pending, isNew: true });
}

async function end({ stored }: Part, result: CodeRunResult): Promise<CodeRunResult> {
  await stored.end(result);
  return result;
}

/** Converts an exception to the error of a run that cannot be continued. Rethrows unexpected exceptions. */
function toEnd(error: unknown, report: CodeReport): CodeFailed {
  if (error instanceof DivergedError) return interrupted(report);
  if (!(error instanceof SnapshotError)) throw error;
  return error.code === 'SNAPSHOT_VERSION' ? otherVersion(report) : damaged(report);
}
