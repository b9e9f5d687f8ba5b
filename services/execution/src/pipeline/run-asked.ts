import { type ErrorCode, ApiError } from '@drawbridge/contracts';
import { type JsonObject } from '@drawbridge/piece-kit';
import { caller, currentContext } from '@drawbridge/rpc';
import { type Work } from '../running/work.js';
import { type RequireRedirect } from './gate.js';
import { open, type Used } from './open.js';
import { type Pipeline } from './pipeline.js';
import { runOpened } from './run-opened.js';

/** A request to a provider that is not a run of an action, and its connection. */
export interface Asked extends Used {
  connectionId?: string;
  work: Exclude<Work, { kind: 'action' }>;
  input: JsonObject;
  requireRedirect?: RequireRedirect;
  /** The error code for failures. */
  failed: ErrorCode;
}

/**
 * Returns the result of the kit, redacted. Nothing is claimed, counted or recorded, and a caller that hangs up cancels the work. Throws
 * `failed`, VALIDATION_ERROR for an input that the work cannot use, and the errors of opening a connection.
 */
export async function runAsked(pipeline: Pipeline, { connectionId, failed, ...asked }: Asked): Promise<unknown> {
  const ending = isEnding(asked.work);
  const opened = await open(pipeline, asked, connectionId, { ending });
  const leaving = currentContext()?.signal;
  const { orgId } = caller();
  const { failure, outputJson = '{}' } = await runOpened(pipeline, { ...asked, ...opened, orgId, leaving });
  if (!failure) return JSON.parse(outputJson);
  const { code, message, details } = failure;
  throw new ApiError(code === 'VALIDATION_ERROR' ? code : failed, message, { details });
}

const isEnding = (work: Asked['work']): boolean => work.kind === 'trigger' && work.step.kind === 'disable';
