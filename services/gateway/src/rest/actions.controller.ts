import { invalid } from '@drawbridge/contracts';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import {
  type ActionExplanation,
  type ActionOutcome,
  type ExecuteActionRequest,
  ExecuteActionRequestMaxLength,
} from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { Body, Extension, Post, Request, Response, Route, Tags } from '@tsoa/runtime';
import type express from 'express';
import { runOnce, toFailure } from '../run-once.js';
import { ApiController } from './api-controller.js';
import { type ApprovalRequired, shownApproval, toRequired } from './shown-approval.js';
import { requireFiles, WITHOUT_FILES_BYTES } from './require-files.js';

const KEY_HEADERS = ['idempotency-key', 'x-idempotency-key'];
const { idempotencyKey: MAX_KEY } = ExecuteActionRequestMaxLength;

interface ExecutedAction {
  success: true;
  output: { [key: string]: unknown };
  /**
   * Milliseconds.
   * @isInt
   */
  duration: number;
}

@Route('api/v1/actions')
@Tags('Actions')
export class ActionsController extends ApiController {
  /**
   * Runs one action. With an idempotency key the action runs once: a repeated request within 24 hours gets the stored response. If an
   * approval policy matches, nothing runs and the response is 202. After the approval, send the same body with the idempotency key from the
   * response: the action then runs once.
   */
  @Post('execute')
  @Response<ApprovalRequired>(202, 'The call needs approval first')
  @Extension('x-max-body-bytes', 10_485_760)
  @Extension('x-takes-long', true)
  @Extension('x-fails', [
    '400 ACTION_FAILED',
    '400 CONNECTION_REQUIRED',
    '400 CONNECTION_NOT_FOUND',
    '400 INTEGRATION_NOT_FOUND',
    'QUOTA_EXCEEDED',
    'NOT_FOUND',
    'DUPLICATE',
  ])
  @Extension('x-example', {
    integrationName: 'hash-encode',
    actionName: 'hash',
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    input: { text: 'hello', algorithm: 'sha256' },
  })
  async executeAction(
    @Body() body: ExecuteActionRequest,
    @Request() request: express.Request,
  ): Promise<ExecutedAction> {
    if (isLarge(request)) await requireFiles(body, this.services.integrations);
    const idempotencyKey = requireOneKey([body.idempotencyKey, ...keysInHeaders(request)]);
    const outcome = await runOnce(
      idempotencyKey,
      (how) => this.services.actions.executeAction({ ...body, idempotencyKey }, how),
      body.integrationName,
    );
    if (outcome.replayed) request.res?.setHeader('Idempotent-Replayed', 'true');
    if (outcome.outcome?.$case === 'pending')
      return wait(shownApproval(this.addressOf(request), outcome.outcome.value), request.res);
    return answer(outcome, request.res);
  }

  /**
   * Returns what an execution with this body would use, and why it uses no other candidate. It runs nothing, opens no connection and stores no
   * idempotency key. An unknown workspace, integration, action, configured integration or partial is rejected as by `execute`. Every other error of
   * the execution is returned in `refusal`: an ambiguous configured integration, an action that is not enabled, invalid input, a missing connection.
   * Quotas and the provider are not checked.
   */
  @Post('explain')
  @Extension('x-max-body-bytes', 10_485_760)
  @Extension('x-fails', ['400 INTEGRATION_NOT_FOUND', 'NOT_FOUND'])
  @Extension('x-example', {
    integrationName: 'github',
    actionName: 'create_issue',
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    input: { repo: 'acme/app', title: 'Hello' },
  })
  async explainAction(
    @Body() body: ExecuteActionRequest,
    @Request() request: express.Request,
  ): Promise<ActionExplanation> {
    if (isLarge(request)) await requireFiles(body, this.services.integrations);
    return this.services.actions.explainAction(body);
  }
}

function isLarge({ res }: express.Request): boolean {
  return res?.locals['bodyBytes'] > WITHOUT_FILES_BYTES;
}

/** Reads each header line separately: `request.get` joins lines of the same name with a comma, which may be part of a key. */
function keysInHeaders(request: express.Request): string[] {
  const names = KEY_HEADERS.filter((name) => name in request.headers);
  return names.flatMap((name) => request.headersDistinct[name] ?? []);
}

/** Returns the idempotency key of the body and the headers. Throws VALIDATION_ERROR if they differ. */
function requireOneKey(given: (string | undefined)[]): string | undefined {
  const keys = new Set(given.filter((key) => key !== undefined));
  if (keys.size > 1) throw invalid({ idempotencyKey: 'the body and the headers must have the same key' });
  const [key] = keys;
  if (key !== undefined && (key === '' || [...key].length > MAX_KEY)) {
    throw invalid({ idempotencyKey: `must have 1 to ${MAX_KEY} characters` });
  }
  return key;
}

/** Sends the output as the text that execution returned, because parsing 8 MiB would block all other requests. */
function answer({ outcome, duration }: ActionOutcome, response?: express.Response): ExecutedAction {
  switch (outcome?.$case) {
    case 'outputJson':
      response
        ?.setHeader('Content-Type', 'application/json; charset=utf-8')
        .end(`{"success":true,"output":${outcome.value},"duration":${duration}}`);
      return { success: true, output: {}, duration }; // the response is already sent: this value only provides the type for the API document
    case 'failure':
      throw toFailure(outcome.value);
    case 'pending':
    case undefined:
      throw new Error('execution returned no outcome of a run');
  }
}

function wait(approval: Approval, response?: express.Response): ExecutedAction {
  response?.status(202).json(toRequired(approval));
  return { success: true, output: {}, duration: 0 }; // the response is already sent: this value only provides the type for the API document
}
