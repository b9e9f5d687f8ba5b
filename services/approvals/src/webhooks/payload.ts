import { type Links } from '../requests/links.js';
import { toApprovalId } from '../requests/request-ids.js';

/** Which call, and where. */
interface Place {
  workspaceId: string;
  source: string;
  integrationName: string;
  integrationAlias?: string | null;
  actionName: string;
}

/** What is told of a request, as it was when it was opened: the redacted input, never what would be sent. */
export interface ToldRequest extends Place {
  id: string;
  inputPreview: unknown;
  redactedPaths: string[];
  riskReasons: string[];
  idempotencyKey: string;
  expiresAt: Date;
  receiptId: string | null;
  receiptExpiresAt: Date | null;
}

/** What is told of a call that ran without being held up: there is no request, and nobody has seen its input. */
export interface ToldCall extends Place {
  riskReasons: string[];
}

export interface ToldEvent {
  eventType: string;
  occurredAt: Date;
}

/** Of the gateway, as `gatewayUrl` returns it. */
type BaseUrl = string;

/**
 * The body of a delivery: what the event said then, whatever became of the request since, so that each attempt sends the same. Links are made
 * of it, not kept.
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
      idempotencyKey: told.idempotencyKey,
      expiresAt: expiresAt.toISOString(),
    },
    receipt:
      isApproved && receiptId !== null && receiptExpiresAt !== null
        ? { id: receiptId, expiresAt: receiptExpiresAt.toISOString() }
        : null,
  });
}

/** The same keys, null where a call that nobody is asked about has nothing. */
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

/** What the event made of it: approval.requested of a request that is decided by now says pending. */
function statusOf(eventType: string): string {
  const [, fact = ''] = eventType.split('.');
  return fact === 'requested' ? 'pending' : fact;
}

function whole(baseUrl: BaseUrl, path: string | undefined): string | null {
  return path === undefined ? null : baseUrl + path;
}
