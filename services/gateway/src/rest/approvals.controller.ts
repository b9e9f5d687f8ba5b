import { ApiError } from '@drawbridge/contracts';
import { type ApprovalId } from '@drawbridge/proto/approval-id';
import { type WebhookDelivery } from '@drawbridge/proto/drawbridge/approvals/v1/deliveries';
import {
  type Approval,
  type ApprovalList,
  type Decision,
  type DecisionNote,
  type ListApprovalsRequest,
  type Receipt,
} from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Extension, Get, Path, Post, Queries, Request, Route, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';
import { shownApproval } from './shown-approval.js';

interface DecidedApproval {
  approval: Approval;
  /** Of an approval: until when the exact retry may run. */
  receipt?: Receipt;
}

interface ShownApproval extends Approval {
  /** What webhooks were told of it: the last 20, the newest first. */
  webhookDeliveries: WebhookDelivery[];
}

const EXAMPLE = { reason: 'Agreed with the customer', metadata: { ticket: 'OPS-7' } };

@Route('api/v1/approvals')
@Tags('Approvals')
export class ApprovalsController extends ApiController {
  /** The newest first. Stable while new ones arrive: pass `nextCursor` on. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listApprovals(@Queries() query: ListApprovalsRequest, @Request() request: HttpRequest): Promise<ApprovalList> {
    const { approvals, ...page } = await this.services.approvals.listApprovals(query);
    return { approvals: approvals.map((approval) => shownApproval(this.addressOf(request), approval)), ...page };
  }

  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getApproval(@Path() id: ApprovalId, @Request() request: HttpRequest): Promise<{ approval: ShownApproval }> {
    const { approval, webhookDeliveries } = await this.services.approvals.getApproval({ id });
    return { approval: { ...shownApproval(this.addressOf(request), approval!), webhookDeliveries } };
  }

  /**
   * Lets the exact retry run, once: the same call with the same idempotency key, until the receipt ends. Of what is no longer pending
   * nothing changes: 409, with the approval as it is in `details.approval`.
   */
  @Post('{id}/approve')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', EXAMPLE)
  async approveApproval(
    @Path() id: ApprovalId,
    @Body() body: DecisionNote,
    @Request() request: HttpRequest,
  ): Promise<DecidedApproval> {
    return this.decided(request, await this.services.approvals.approveApproval({ id, note: body }));
  }

  /** The call does not run; asked for again, it opens a new request where its policy still says so. */
  @Post('{id}/reject')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', EXAMPLE)
  async rejectApproval(
    @Path() id: ApprovalId,
    @Body() body: DecisionNote,
    @Request() request: HttpRequest,
  ): Promise<DecidedApproval> {
    return this.decided(request, await this.services.approvals.rejectApproval({ id, note: body }));
  }

  /** Nobody need decide it any more. */
  @Post('{id}/cancel')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', EXAMPLE)
  async cancelApproval(
    @Path() id: ApprovalId,
    @Body() body: DecisionNote,
    @Request() request: HttpRequest,
  ): Promise<DecidedApproval> {
    return this.decided(request, await this.services.approvals.cancelApproval({ id, note: body }));
  }

  /**
   * Tries a webhook again that was given up, within 30 days: with all its attempts, the first at once. One that is on its way, was
   * delivered, or asks for a decision that is made is 409.
   */
  @Post('{id}/deliveries/{deliveryId}/redeliver')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  async redeliverWebhook(@Path() id: ApprovalId, @Path() deliveryId: Uuid): Promise<{ delivery: WebhookDelivery }> {
    return { delivery: await this.services.approvals.redeliverWebhook({ id, deliveryId }) };
  }

  /** Throws DUPLICATE where somebody else decided before. */
  private decided(request: HttpRequest, { approval: decided, receipt, wasDecided }: Decision): DecidedApproval {
    const approval = shownApproval(this.addressOf(request), decided!);
    if (!wasDecided) return { approval, receipt };
    throw new ApiError('DUPLICATE', `Approval ${approval.id} is ${approval.status}`, { details: { approval } });
  }
}
