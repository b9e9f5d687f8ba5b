import { type EventPayload } from '@drawbridge/events';
import { type Decider } from '@drawbridge/proto/drawbridge/approvals/v1/decider';
import { type ApprovalChanged } from '@drawbridge/proto/drawbridge/approvals/v1/events';
import { type ApprovalRequest } from '../gen/prisma/client.js';
import { toApprovalId } from './request-ids.js';

/** The events of a request: opened, decided in one of three ways, or expired. */
export type Fact = Extract<EventPayload, { value: ApprovalChanged }>['$case'];

export type Told = Pick<
  ApprovalRequest,
  'id' | 'orgId' | 'policyId' | 'workspaceId' | 'source' | 'integrationName' | 'actionName'
>;

export function changed($case: Fact, request: Told, by?: Decider): EventPayload {
  const { id, policyId, workspaceId, source, integrationName, actionName } = request;
  const facts = { policyId, workspaceId, source, integrationName, actionName };
  return { $case, value: { approvalId: toApprovalId(id), ...facts, actorType: by?.type, actorId: by?.id } };
}
