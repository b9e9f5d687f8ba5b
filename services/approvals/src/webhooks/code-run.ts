import { BATCH_RUN } from '../gate/batch-preview.js';
import { toApprovalId } from '../requests/approval-request.js';

/** The columns of a request of a run of Code Mode. */
export interface ToldRun {
  id: string;
  codeRunId: string | null;
  codeHash: string | null;
  toolSurfaceHash: string | null;
  /** Empty: the request is for one call of the run. */
  batchTools: readonly string[];
  inputPreview: unknown;
}

/** Returns the `codeRun` of a webhook, with the call that continues the run; undefined for a request of another call. */
export function codeRunOf(request: ToldRun): object | undefined {
  const { id, codeRunId, codeHash, toolSurfaceHash, batchTools } = request;
  if (codeRunId === null) return undefined;
  const isBatch = batchTools.length > 0;
  // The preview of a single call is its input, which can have any keys.
  const { approvalGroups, analysisConfidence, dynamicSignals } = (isBatch ? request.inputPreview : {}) as Analysis;
  return {
    type: isBatch ? BATCH_RUN : 'mcp_code_call',
    ...{ codeRunId, codeHash, toolSurfaceHash },
    approvalGroups: approvalGroups ?? [],
    analysisConfidence: analysisConfidence ?? null,
    dynamicSignals: dynamicSignals ?? [],
    continuation: { tool: 'svc_execute', arguments: { approvalId: toApprovalId(id) } },
  };
}

interface Analysis {
  approvalGroups?: unknown;
  analysisConfidence?: unknown;
  dynamicSignals?: unknown;
}
