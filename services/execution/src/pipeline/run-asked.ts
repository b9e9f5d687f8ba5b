import { type ErrorCode, ApiError } from '@drawbridge/contracts';
import { type JsonObject } from '@drawbridge/piece-kit';
import { caller, currentContext } from '@drawbridge/rpc';
import { type Work } from '../running/work.js';
import { type RequireRedirect } from './gate.js';
import { open, type Used } from './open.js';
import { type Pipeline } from './pipeline.js';
import { runOpened } from './run-opened.js';

/** What is asked of a third party and is no run of an action, and with which connection. */
export interface Asked extends Used {
  connectionId?: string;
  work: Exclude<Work, { kind: 'action' }>;
  input: JsonObject;
  requireRedirect?: RequireRedirect;
  /** The code of its failures. */
  failed: ErrorCode;
}

/**
 * The answer of the kit, the credential out of it. Nothing is claimed, counted or recorded; who hangs up ends it. Throws `failed`,
 * VALIDATION_ERROR for an input that it can't be asked with, and as opening a connection does.
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
