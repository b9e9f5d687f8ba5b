import { type Links } from '../requests/approval-links.js';
import { toApprovalId } from '../requests/approval-request.js';
import { codeRunOf, type ToldRun } from './code-run.js';

/** The call and its workspace. */
interface Place {
  workspaceId: string;
  source: string;
  integrationName: string;
  integrationAlias?: string | null;
  actionName: string;
}

/** The data of a request when it was created. It contains the redacted input, never the original input. */
export interface ToldRequest extends Place, ToldRun {
  redactedPaths: string[];
  riskReasons: string[];
  idempotencyKey: string;
  expiresAt: Date;
  receiptId: string | null;
  receiptExpiresAt: Date | null;
}

/** The data of a call that ran without waiting. It has no request and no preview of its input. */
export interface ToldCall extends Place {
  riskReasons: string[];
}

interface ToldEvent {
  eventType: string;
  occurredAt: Date;
}

/** The URL of the gateway, as `gatewayUrl` returns it. */
type BaseUrl = string;

/**
 * Returns the body of a delivery. It depends only on the event and not on later changes of the request, so that each attempt sends the same body.
 * Links are not stored. They are derived for each attempt.
 */
export function payloadOf(event: ToldEvent, request: ToldRequest, links: Links, baseUrl: BaseUrl): string {
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

/** Returns a body with the same fields as `payloadOf`, which are null if they need a request. */
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

/** Returns the status at the time of the event. For approval.requested it is pending even if the request was decided since. */
function statusOf(eventType: string): string {
  const [, fact = ''] = eventType.split('.');
  return fact === 'requested' ? 'pending' : fact;
}

function whole(baseUrl: BaseUrl, path: string | undefined): string | null {
  return path === undefined ? null : baseUrl + path;
}
