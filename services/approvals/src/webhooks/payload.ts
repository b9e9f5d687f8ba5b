import { type Links } from '../requests/approval-links.js';
import { codeRunTypeOf, toApprovalId } from '../requests/approval-request.js';

/** The call and the workspace that makes it. */
interface Place {
  workspaceId: string;
  source: string;
  integrationName: string;
  integrationAlias?: string | null;
  actionName: string;
}

/** The data of an approval request when it was created. It contains the redacted input, never the original input. */
export interface ToldRequest extends Place {
  id: string;
  codeRunId: string | null;
  codeHash: string | null;
  toolSurfaceHash: string | null;
  /** The tools that an approval of a Code Mode run covers. Empty if the request is for one call. */
  batchTools: string[];
  inputPreview: unknown;
  redactedPaths: string[];
  riskReasons: string[];
  idempotencyKey: string;
  expiresAt: Date;
  receiptId: string | null;
  receiptExpiresAt: Date | null;
}

/** The data of a call that matched a `notify_only` policy and ran without waiting. It has no approval request and no preview of its input. */
export interface ToldCall extends Place {
  riskReasons: string[];
}

interface ToldEvent {
  eventType: string;
  occurredAt: Date;
}

/**
 * Returns the body of a webhook. It depends only on the event and not on later changes of the approval request, so that each attempt sends the same
 * body. The links are not stored, but derived for each attempt. `baseUrl` is the public URL of the gateway.
 */
export function payloadOf(event: ToldEvent, request: ToldRequest, links: Links, baseUrl: string): string {
  const { id: requestId, receiptId, receiptExpiresAt, expiresAt, ...told } = request;
  const id = toApprovalId(requestId);
  const at = `${baseUrl}/api/v1/approvals/${id}`;
  const isApproved = event.eventType === 'approval.approved';
  return bodyOf(event, {
    approval: {
      ...{ id, status: statusOf(event.eventType) },
      ...placeOf(told),
      inputPreview: told.inputPreview,
      redactedPaths: told.redactedPaths,
      riskReasons: told.riskReasons,
      approvalUrl: whole(baseUrl, links.approvalUrl),
      hostedApprovalUrl: whole(baseUrl, links.hostedApprovalUrl),
      api: {
        detailUrl: at,
        approveUrl: `${at}/approve`,
        rejectUrl: `${at}/reject`,
        cancelUrl: `${at}/cancel`,
      },
      codeRun: codeRunOf(request),
      idempotencyKey: told.idempotencyKey,
      expiresAt: expiresAt.toISOString(),
    },
    receipt:
      isApproved && receiptId !== null && receiptExpiresAt !== null
        ? { id: receiptId, expiresAt: receiptExpiresAt.toISOString() }
        : null,
  });
}

/**
 * Returns the body of a webhook about a call that ran without waiting. It has the fields of `payloadOf`; those that need an approval request are
 * null.
 */
export function notificationOf(event: ToldEvent, call: ToldCall): string {
  return bodyOf(event, {
    approval: {
      ...{ id: null, status: null },
      ...placeOf(call),
      inputPreview: null,
      redactedPaths: [],
      riskReasons: call.riskReasons,
      ...{ approvalUrl: null, hostedApprovalUrl: null, api: null, idempotencyKey: null, expiresAt: null },
    },
    receipt: null,
  });
}

function bodyOf({ eventType, occurredAt }: ToldEvent, rest: { approval: object; receipt: object | null }): string {
  return JSON.stringify({ event: eventType, createdAt: occurredAt.toISOString(), ...rest });
}

function placeOf({ workspaceId, source, integrationName, integrationAlias, actionName }: Place) {
  return { workspaceId, source, integrationName, integrationAlias: integrationAlias ?? null, actionName };
}

/** Returns the status of the request at the time of the event. For approval.requested it is `pending`, even if the request has been decided since. */
function statusOf(eventType: string): string {
  const [, fact = ''] = eventType.split('.');
  return fact === 'requested' ? 'pending' : fact;
}

function whole(baseUrl: string, path: string | undefined): string | null {
  return path === undefined ? null : baseUrl + path;
}

/** Returns the `codeRun` field of a webhook, with the call that continues the run. Returns undefined for a request outside of Code Mode. */
function codeRunOf(request: ToldRequest): object | undefined {
  const { id, codeRunId, codeHash, toolSurfaceHash } = request;
  const type = codeRunTypeOf(request);
  if (type === undefined) return undefined;
  // The preview of a single call is the input of that call, which can contain any keys. Only the preview of a batch request contains these fields.
  const analysis = (type === 'mcp_code_batch_run' ? request.inputPreview : {}) as Record<string, unknown>;
  return {
    ...{ type, codeRunId, codeHash, toolSurfaceHash },
    approvalGroups: analysis['approvalGroups'] ?? [],
    analysisConfidence: analysis['analysisConfidence'] ?? null,
    dynamicSignals: analysis['dynamicSignals'] ?? [],
    continuation: { tool: 'svc_execute', arguments: { approvalId: toApprovalId(id) } },
  };
}
