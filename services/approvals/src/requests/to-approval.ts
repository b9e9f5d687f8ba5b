import { toWire } from '@drawbridge/database';
import { type Decider } from '@drawbridge/proto/drawbridge/approvals/v1/decider';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';
import { type LinkKeeper } from './links.js';
import { toApprovalId } from './request-ids.js';

/** Converts a request with all public fields, including its links. */
export function toApproval({ linksTo }: Pick<LinkKeeper, 'linksTo'>, row: Row): Approval {
  return {
    ...toWire(row),
    ...linksTo(row),
    id: toApprovalId(row.id),
    inputPreview: row.inputPreview as Approval['inputPreview'],
    decidedBy: toDecider(row),
  };
}

function toDecider({ deciderType: type, deciderId: id }: Row): Decider | undefined {
  return type === null ? undefined : { type, id: id ?? undefined };
}
