import { type Refusal } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type CodeFailed, type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type CodeError } from '@drawbridge/sandbox';
import { type CodeReport } from './run-report.js';

export function completed(id: string, report: CodeReport, valueJson: string | undefined): CodeRunResult {
  return { codeRunId: id, result: { $case: 'completed', value: { valueJson } }, ...report.toResult() };
}

export function failed(id: string, report: CodeReport, value: CodeFailed): CodeRunResult {
  return { codeRunId: id, result: { $case: 'failed', value }, ...report.toResult() };
}

export function ready(id: string, report: CodeReport): CodeRunResult {
  return { codeRunId: id, result: { $case: 'ready', value: {} }, ...report.toResult() };
}

/** Returns the result of a run that waits for approvals. Sorts the approvals by age, so that the oldest is decided first. */
export function waiting(
  id: string,
  report: CodeReport,
  { approvals, isNew }: { approvals: readonly Approval[]; isNew: boolean },
): CodeRunResult {
  const pending = approvals.filter(({ status }) => status === 'pending');
  const sorted = pending.sort((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)));
  return { codeRunId: id, result: { $case: 'waiting', value: { approvals: sorted, isNew } }, ...report.toResult() };
}

export function fromCodeError({ code, name, message, line, column }: CodeError): CodeFailed {
  return { code, message: name === undefined || name === 'Error' ? message : `${name}: ${message}`, line, column };
}

export function fromRefusal(path: string, { error, code, details }: Refusal): CodeFailed {
  return { code, message: `svc.${path}: ${error} Nothing was run.`, details };
}

const DECISIONS: Record<string, CodeFailed['code'] | undefined> = {
  rejected: 'APPROVAL_REJECTED',
  canceled: 'APPROVAL_CANCELED',
  expired: 'APPROVAL_EXPIRED',
};

/** Returns the error of a run with an approval that was rejected, canceled or expired. Returns undefined if all approvals are approved or pending. */
export function endBy(approvals: readonly Approval[], report: CodeReport): CodeFailed | undefined {
  const refused = approvals.find(({ status }) => DECISIONS[status] !== undefined);
  if (!refused) return undefined;
  const { id: approvalId, status, decisionReason } = refused;
  const reason = decisionReason === undefined ? '' : `: ${decisionReason}`;
  return {
    code: DECISIONS[status]!,
    message: `Approval ${approvalId} was ${status === 'expired' ? 'not decided in time' : status}${reason}. The run ended. ${report.describeExecuted()}`,
    details: { approvalId },
  };
}

export const surfaceChanged = (report: CodeReport): CodeFailed => ({
  code: 'SURFACE_CHANGED',
  message: `The tools of the server changed after the run was approved or paused, so its approvals are void. The run ended. ${report.describeExecuted()} ${report.describeRestart()}`,
});

export const damaged = (report: CodeReport): CodeFailed => ({
  code: 'SNAPSHOT_DAMAGED',
  message: `The stored state of the run cannot be read. The run ended. ${report.describeExecuted()} ${report.describeRestart()}`,
});

export const otherVersion = (report: CodeReport): CodeFailed => ({
  code: 'SNAPSHOT_VERSION',
  message: `The run was paused by another version of the sandbox, which this version cannot continue. The run ended. ${report.describeExecuted()} ${report.describeRestart()}`,
});

export const interrupted = (report: CodeReport): CodeFailed => ({
  code: 'INTERRUPTED',
  message: `The process of the run was lost, and the run cannot be repeated without executing actions twice. The run ended. ${report.describeExecuted()}`,
});

export const tooLarge = (report: CodeReport, bytes: number, most: number): CodeFailed => ({
  code: 'SNAPSHOT_TOO_LARGE',
  message: `The paused program has ${bytes} bytes, and the limit is ${most}. The run ended. ${report.describeExecuted()} Keep less data in variables across calls that need approval.`,
});
