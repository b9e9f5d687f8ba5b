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
  /** When the receipt expires. Until then, the same call can run once. */
  receipt?: Receipt;
}

interface ShownApproval extends Approval {
  /** The last 20 webhook deliveries of the approval, newest first. */
  webhookDeliveries: WebhookDelivery[];
}

const EXAMPLE = { reason: 'Agreed with the customer', metadata: { ticket: 'OPS-7' } };

@Route('api/v1/approvals')
@Tags('Approvals')
export class ApprovalsController extends ApiController {
  /** Lists approvals, newest first. The order is stable while new approvals arrive: send `nextCursor` as `cursor` to get the next page. */
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
   * Approves a call. The same call with the same idempotency key can then run once, until the receipt expires. If the approval is no longer
   * pending, nothing changes and the response is 409 with the current approval in `details.approval`.
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

  /** Rejects a call. The call does not run. Another request for it opens a new approval if the policy still matches. */
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

  /** Cancels a pending approval if its call is no longer needed. */
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
   * Redelivers a webhook after its delivery failed within the last 30 days: all attempts start again, the first immediately. The response is 409 if
   * the delivery is pending or delivered, or if it requests a decision that was already made.
   */
  @Post('{id}/deliveries/{deliveryId}/redeliver')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  async redeliverWebhook(@Path() id: ApprovalId, @Path() deliveryId: Uuid): Promise<{ delivery: WebhookDelivery }> {
    return { delivery: await this.services.approvals.redeliverWebhook({ id, deliveryId }) };
  }

  /** Returns the decided approval with absolute links. Throws DUPLICATE if the approval was already decided before this request. */
  private decided(request: HttpRequest, { approval: decided, receipt, wasDecided }: Decision): DecidedApproval {
    const approval = shownApproval(this.addressOf(request), decided!);
    if (!wasDecided) return { approval, receipt };
    throw new ApiError('DUPLICATE', `Approval ${approval.id} is ${approval.status}`, { details: { approval } });
  }
}
