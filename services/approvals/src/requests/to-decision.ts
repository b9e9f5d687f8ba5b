import { type Decision, type Receipt } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';
import { type Decided } from './decide.js';
import { type LinkKeeper } from './links.js';
import { toApproval } from './to-approval.js';

export function toDecision(links: Pick<LinkKeeper, 'linksTo'>, { row, isNew }: Decided): Decision {
  return { approval: toApproval(links, row), receipt: isNew ? toReceipt(row) : undefined, wasDecided: !isNew };
}

function toReceipt({ receiptId: id, receiptExpiresAt }: Row): Receipt | undefined {
  return id === null || receiptExpiresAt === null ? undefined : { id, expiresAt: receiptExpiresAt.toISOString() };
}
