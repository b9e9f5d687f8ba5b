import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller, isGranted } from '@drawbridge/rpc';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';
import { type LinkKeeper } from './links.js';
import { deciding, type Members } from './require-decider.js';
import { toApproval } from './to-approval.js';

/**
 * Returns requests as the caller may see them. A hosted link authorizes its holder to decide, so it is shown only to deciders and to keys
 * that may execute, which already get it in the 202 of their call. See docs/decisions/0020.
 */
export function seenByCaller(parts: { links: LinkKeeper; members: Members }): (row: Row) => Promise<Approval> {
  const { keyId, permissions } = caller();
  const isExecuting = keyId !== undefined && isGranted('actions.execute', permissions);
  const mayDecide = deciding(parts.members);
  return async (row) => {
    const approval = toApproval(parts.links, row);
    return isExecuting || (await mayDecide(row)) ? approval : { ...approval, hostedApprovalUrl: undefined };
  };
}
