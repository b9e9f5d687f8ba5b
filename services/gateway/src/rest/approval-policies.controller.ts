import { toPatch } from '@drawbridge/contracts';
import {
  type ApprovalPolicyList,
  type ApprovalPolicyTest,
  type ApprovalTestContext,
  type ListApprovalPoliciesRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/policies';
import {
  type ApprovalPolicy,
  type ApprovalPolicyChanges,
  type CreateApprovalPolicyRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Queries, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

interface TestApprovalPolicyBody {
  /** The policy as for a create request. The name is optional. */
  policy: ApprovalPolicyChanges;
  context: ApprovalTestContext;
}

@Route('api/v1/approval-policies')
@Tags('Approval policies')
export class ApprovalPoliciesController extends ApiController {
  /**
   * Lists approval policies, newest first. With `workspaceId` the list contains only policies of that workspace, without those of the
   * organization.
   */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listApprovalPolicies(@Queries() query: ListApprovalPoliciesRequest): Promise<ApprovalPolicyList> {
    return this.services.approvalPolicies.listApprovalPolicies(query);
  }

  /** Creates an approval policy. It takes effect within one second. */
  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', {
    name: 'Payments above 1,000',
    integrationNames: ['stripe'],
    rules: { amountThresholds: [{ path: 'amount', gt: 100000 }] },
    approvers: [{ type: 'org_role', roles: ['owner', 'admin'] }],
  })
  async createApprovalPolicy(@Body() body: CreateApprovalPolicyRequest): Promise<{ policy: ApprovalPolicy }> {
    return { policy: await this.services.approvalPolicies.createApprovalPolicy(body) };
  }

  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getApprovalPolicy(@Path() id: Uuid): Promise<{ policy: ApprovalPolicy }> {
    return { policy: await this.services.approvalPolicies.getApprovalPolicy({ id }) };
  }

  /** Updates the specified fields of an approval policy. A list in the request replaces the stored list. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { decision: 'block', actionNames: ['create_payment_intent'] })
  async updateApprovalPolicy(
    @Path() id: Uuid,
    @Body() body: ApprovalPolicyChanges,
  ): Promise<{ policy: ApprovalPolicy }> {
    return { policy: await this.services.approvalPolicies.updateApprovalPolicy({ id, ...toPatch(body) }) };
  }

  /** Deletes an approval policy. Existing approval requests stay. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteApprovalPolicy(@Path() id: Uuid): Promise<Deleted> {
    return this.services.approvalPolicies.deleteApprovalPolicy({ id });
  }

  /** Evaluates a policy against a call. Stores and runs nothing. */
  @Post('test')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', {
    policy: { decision: 'block', rules: { actionCategories: ['delete'], domainDenylist: ['evil.example'] } },
    context: {
      integrationName: 'github',
      actionName: 'create_issue',
      input: { repo: 'acme/app', title: 'See https://evil.example' },
    },
  })
  async testApprovalPolicy(@Body() body: TestApprovalPolicyBody): Promise<ApprovalPolicyTest> {
    return this.services.approvalPolicies.testApprovalPolicy(body);
  }
}
