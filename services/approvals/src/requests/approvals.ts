import { type Enqueue } from '@drawbridge/jobs';
import { type ApprovalServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { deliveriesOf } from '../webhooks/list-deliveries.js';
import { redeliver } from '../webhooks/redeliver.js';
import { decide, type Needs } from './decide.js';
import { expireDue } from './expiry.js';
import { findRequest } from './find-request.js';
import { type LinkKeeper } from './links.js';
import { pageOfApprovals } from './list-approvals.js';
import { fromApprovalId } from './request-ids.js';
import { seenByCaller } from './seen-by-caller.js';
import { toDecision } from './to-decision.js';

interface Parts extends Needs {
  links: LinkKeeper;
  enqueue: Enqueue;
}

/** The requests of the API and the dashboard. */
export const approvalRequests = (parts: Parts): Implementation<ApprovalServiceDefinition> => {
  const { db, pool, links, requireWorkspace } = parts;
  return {
    async listApprovals(request) {
      if (request.workspaceId !== undefined) await requireWorkspace(request.workspaceId);
      await expireDue(pool, caller().orgId);
      const { page, ...beside } = await pageOfApprovals(parts, request);
      return { approvals: await Promise.all(page.map(seenByCaller(parts))), ...beside };
    },

    async getApproval({ id }) {
      await expireDue(pool, caller().orgId);
      const row = await findRequest(db, fromApprovalId(id));
      requireInScope(row.workspaceId);
      return { approval: await seenByCaller(parts)(row), webhookDeliveries: await deliveriesOf(db, row) };
    },

    approveApproval: async (request) => toDecision(links, await decide(parts, 'approved', request)),
    rejectApproval: async (request) => toDecision(links, await decide(parts, 'rejected', request)),
    cancelApproval: async (request) => toDecision(links, await decide(parts, 'canceled', request)),

    redeliverWebhook: (request) => redeliver(parts, request),
  };
};
