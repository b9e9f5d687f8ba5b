import { ApiError, invalid } from '@drawbridge/contracts';
import {
  type ActionFailure,
  type ActionOutcome,
  type ExecuteActionRequest,
  ExecuteActionRequestMaxLength,
} from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { Body, Extension, Post, Request, Route, Tags } from '@tsoa/runtime';
import type express from 'express';
import { ApiController } from './api-controller.js';
import { executeOnce } from './execute-once.js';
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
  /** Runs one action. With an idempotency key it runs once: a repeat within 24 h gets the stored answer. */
  @Post('execute')
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
    const isLarge = request.res?.locals['bodyBytes'] > WITHOUT_FILES_BYTES;
    if (isLarge) await requireFiles(body, this.services.integrations);
    const idempotencyKey = requireOneKey([body.idempotencyKey, ...keysInHeaders(request)]);
    const outcome = await executeOnce(this.services.actions, { ...body, idempotencyKey });
    if (outcome.replayed) request.res?.setHeader('Idempotent-Replayed', 'true');
    return answer(outcome, request.res);
  }
}

/** Of each line: `request.get` joins lines of one name with a comma, which may be part of a key. */
function keysInHeaders(request: express.Request): string[] {
  const names = KEY_HEADERS.filter((name) => name in request.headers);
  return names.flatMap((name) => request.headersDistinct[name] ?? []);
}

/** The one key that the body and the headers name. Throws VALIDATION_ERROR when they differ. */
function requireOneKey(given: (string | undefined)[]): string | undefined {
  const keys = new Set(given.filter((key) => key !== undefined));
  if (keys.size > 1) throw invalid({ idempotencyKey: 'the body and the headers must name one key' });
  const [key] = keys;
  if (key !== undefined && (key === '' || [...key].length > MAX_KEY)) {
    throw invalid({ idempotencyKey: `must have 1 to ${MAX_KEY} characters` });
  }
  return key;
}

/** An output may have 8 MiB: it goes out as the text that it came as, for reading it would keep everybody waiting. */
function answer({ outcome, duration }: ActionOutcome, response?: express.Response): ExecutedAction {
  switch (outcome?.$case) {
    case 'outputJson':
      response
        ?.setHeader('Content-Type', 'application/json; charset=utf-8')
        .end(`{"success":true,"output":${outcome.value},"duration":${duration}}`);
      return { success: true, output: {}, duration }; // what was sent, to the type system and the API document
    case 'failure':
      throw toError(outcome.value);
    case undefined:
      throw new Error('execution answered without an outcome');
  }
}

/** A run may also end at an input that the schema let through and the action could not. */
function toError({ code, message, details }: ActionFailure): ApiError {
  return new ApiError(code === 'VALIDATION_ERROR' ? code : 'ACTION_FAILED', message, { details });
}
