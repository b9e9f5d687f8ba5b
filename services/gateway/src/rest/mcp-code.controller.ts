import { type ApprovalId } from '@drawbridge/proto/approval-id';
import { type McpProgram } from '@drawbridge/proto/drawbridge/mcp/v1/code';
import { type IntegrationName } from '@drawbridge/proto/integration-name';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Extension, Get, Path, Post, Request, Route, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';

interface ExecuteMcpCodeBody extends McpProgram {
  /** The approval of a waiting run, with the prefix `apr_`. The stored run continues. */
  approvalId?: ApprovalId;
  /**
   * Seconds to wait for a pending approval, with `approvalId`. Defaults to `settings.codeMode.approvalWaitSeconds` of the server.
   */
  waitForApprovalSeconds?: unknown;
}

interface CodeResult {
  /** The returned value as JSON text, or the message of an error, followed by the console output, if any. */
  content: CodeText[];
  /** True if the program failed. `structuredContent` contains the error. */
  isError: boolean;
  /** Present if the run waits for approvals, or failed. */
  structuredContent?: CodeRunDetails;
}

interface CodeText {
  type: 'text';
  text: string;
}

interface CodeRunDetails {
  /** `approval_required`, or `approval_pending` if a continuation finds the approval still pending. Absent for an error. */
  status?: 'approval_required' | 'approval_pending';
  /** Always `approval_required`. */
  view?: 'approval_required';
  /** A short heading. */
  title?: string;
  /** The next step, as a message that an agent can pass to its user. */
  description?: string;
  /** The next approval to decide. */
  approval?: CodeApproval;
  /** The pages on which an approver decides the next approval. */
  links?: CodeApprovalLink[];
  /** The tool and arguments that continue the run after the decision. Over REST, send the arguments as the body. */
  continuation?: CodeContinuation;
  /** All pending approvals, if one run matches several policies. */
  approvals?: CodeApproval[];
  /** The message of the error. */
  error?: string;
  /** The code of the error, such as SYNTAX_ERROR, RUNTIME_ERROR, TIMEOUT or VALIDATION_ERROR. */
  code?: string;
  /** Details of the error: the line and column, and the calls that the program made. */
  details?: { [key: string]: unknown };
}

interface CodeContinuation {
  tool: 'svc_execute';
  arguments: CodeContinuationArguments;
}

interface CodeContinuationArguments {
  /** The id of the next approval, with the prefix `apr_`. */
  approvalId: string;
}

interface CodeApproval {
  /** The id of the approval, with the prefix `apr_`. */
  id: string;
  /** The dashboard link, or null if the policy only allows decisions by hosted link. */
  approvalUrl: string | null;
  /** The hosted link, or null if the policy does not allow it. Anyone with the link can decide. */
  hostedApprovalUrl: string | null;
  /** @format date-time */
  expiresAt: string;
}

interface CodeApprovalLink {
  /** The kind of the page. */
  kind: 'hosted_approval' | 'dashboard_approval';
  label: string;
  /** The absolute URL of the page. */
  url: string;
  /** True for the link to show if only one is shown. */
  primary: boolean;
}

interface McpDeclarations {
  /** TypeScript declarations of `svc.<alias>.<action>(input)`. */
  declarations: string;
}

@Route('api/v1/mcp/servers/{id}')
@Tags('MCP servers')
export class McpCodeController extends ApiController {
  /**
   * Runs a program that calls the actions of an MCP server of mode CODE as `svc.<alias>.<action>(input)`, for at most 5 minutes. Send `code`, or the
   * `approvalId` of a run that waits for an approval. An error of the program is returned as a result with `isError`.
   */
  @Post('execute-code')
  @Extension('x-takes-long', true)
  @Extension('x-fails', ['INVALID_CODE_EXECUTE_REQUEST', 'QUOTA_EXCEEDED', 'NOT_FOUND', 'END_USER_NOT_FOUND'])
  @Extension('x-example', { code: "return (await svc.hash.hash({ text: 'hello', algorithm: 'sha256' })).result;" })
  async executeMcpCode(
    @Path() id: Uuid,
    @Body() body: ExecuteMcpCodeBody,
    @Request() request: HttpRequest,
  ): Promise<CodeResult> {
    const { content, isError = false, structuredJson } = await this.code.execute(id, body, this.addressOf(request));
    const structured = structuredJson === undefined ? {} : { structuredContent: JSON.parse(structuredJson) };
    return { content, isError, ...structured };
  }

  /**
   * Returns the TypeScript declarations of the actions of one alias, or of all aliases of one integration, as programs of the server call
   * them. Inputs that partials enforce are omitted; inputs with a default are optional.
   */
  @Get('declarations/{integrationOrAlias}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getMcpDeclarations(@Path() id: Uuid, @Path() integrationOrAlias: IntegrationName): Promise<McpDeclarations> {
    return { declarations: await this.code.declarations(id, integrationOrAlias) };
  }
}
