import { codeRunTypeOf, toApprovalId } from '../requests/approval-request.js';

/** The columns of a request of a Code Mode run. */
export interface ToldRun {
  id: string;
  codeRunId: string | null;
  codeHash: string | null;
  toolSurfaceHash: string | null;
  /** Empty if the request is for one call of the run. */
  batchTools: string[];
  inputPreview: unknown;
}

/** Returns the `codeRun` field of a webhook, with the call that continues the run. Returns undefined for a request outside of Code Mode. */
export function codeRunOf(request: ToldRun): object | undefined {
  const { id, codeRunId, codeHash, toolSurfaceHash } = request;
  const type = codeRunTypeOf(request);
  if (type === undefined) return undefined;
  // The preview of a single call is the input of that call, which can contain any keys. Only the preview of a batch request contains these fields.
  const { approvalGroups, analysisConfidence, dynamicSignals } = (
    type === 'mcp_code_batch_run' ? request.inputPreview : {}
  ) as Analysis;
  return {
    ...{ type, codeRunId, codeHash, toolSurfaceHash },
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
