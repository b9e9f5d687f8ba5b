import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type Request } from 'express';
import { type Site } from '../http/site.js';

/** With its links as a browser asks for them: the service knows their paths alone. */
export function shownApproval(site: Site, request: Request, approval: Approval): Approval {
  const whole = (path: string | undefined): string | undefined => path && site.address(request, path);
  const { approvalUrl, hostedApprovalUrl } = approval;
  return { ...approval, approvalUrl: whole(approvalUrl), hostedApprovalUrl: whole(hostedApprovalUrl) };
}
