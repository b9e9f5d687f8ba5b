import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller, isGranted } from '@drawbridge/rpc';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';
import { type LinkKeeper } from './links.js';
import { deciding, type Members } from './require-decider.js';
import { toApproval } from './to-approval.js';

/**
 * Requests as who calls reads them. A hosted link decides for whoever has it: it is shown to who may decide, and to a key that may execute,
 * which has it from the 202 of its call. See docs/decisions/0020.
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
