import { ApiError } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type JsonObject } from '@drawbridge/piece-kit';
import { type HookCall, type HookRegistration } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Source } from '../gen/prisma/client.js';
import { requireTrigger } from '../sources/find-trigger.js';

/** The credential is opened and refreshed first, for up to 45 s; then the provider has 60 s. */
export const HOOK_TIME = { timeoutMs: 110_000 };

/**
 * Builds the call of a source's trigger, with the connection that was selected when it was enabled. Throws INTEGRATION_NOT_FOUND or TRIGGER_NOT_FOUND
 * if the operator has removed the piece: execution would wait for it to be installed.
 */
export function toHookCall(source: Source): HookCall {
  requireTrigger(source.integrationName, source.triggerName);
  const {
    workspaceIntegrationId: id,
    integrationAlias: alias,
    connectionStrategy = '',
    connectionId,
    ...row
  } = toWire(source);
  const isConfigured = id !== undefined && alias !== undefined;
  return {
    ...row,
    placeId: source.workspaceId,
    input: source.input as JsonObject,
    instance: isConfigured ? { id, alias, connectionStrategy, connectionId } : undefined,
    connection: connectionId === undefined ? undefined : { $case: 'connectionId', value: connectionId },
  };
}

/** Codes of failures that a retry cannot fix until a user or an operator changes something. */
const FINAL = new Set(['CONNECTION_REQUIRED', 'CONNECTION_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN']);

interface HookFailure {
  /** The provider's Retry-After. */
  retryAfterSeconds?: number;
  /** True if a retry may succeed. */
  isRetryable: boolean;
}

/** The details with which execution reports a failed action. */
interface Details {
  provider?: { retryAfter?: unknown };
  retryable?: unknown;
}

/** Returns whether a failed call of a trigger's code may be retried, and after how many seconds. */
export function toHookFailure(error: unknown): HookFailure {
  if (!(error instanceof ApiError)) return { isRetryable: true };
  const { retryable, provider } = error.details as Details;
  const retryAfter = provider?.retryAfter;
  const isRetryable = error.code === 'ACTION_FAILED' ? retryable !== false : !FINAL.has(error.code);
  return typeof retryAfter === 'number' ? { isRetryable, retryAfterSeconds: retryAfter } : { isRetryable };
}

const MAX_STATE_BYTES = 64 * 1024;
const MAX_CURSOR_BYTES = 1024 * 1024;
const MAX_TEXT_BYTES = 4_000;

/**
 * Limits the answers of providers and pieces that are stored with each source. Throws ACTION_FAILED for a larger one, and for a renewAt that is not a
 * date.
 */
export function requireStorable({ stateJson, secret = '', renewAt }: Omit<HookRegistration, 'connectionId'>): void {
  requireAtMost(stateJson, MAX_STATE_BYTES);
  requireAtMost(secret, MAX_TEXT_BYTES);
  if (renewAt !== undefined && !isStorableTime(Date.parse(renewAt))) {
    throw unfit('OUTPUT_INVALID', 'When it is to be renewed is no time');
  }
}

/** Returns false for NaN, and for years that PostgreSQL does not read in the format of JavaScript, which can have six digits and a sign. */
function isStorableTime(at: number): boolean {
  return at >= Date.parse('0001-01-01T00:00:00Z') && at < Date.parse('+010000-01-01T00:00:00Z');
}

/** Throws ACTION_FAILED for a cursor (as JSON) that is too large to store. */
export function requireStorableCursor(cursorJson: string): void {
  requireAtMost(cursorJson, MAX_CURSOR_BYTES);
}

/** Throws ACTION_FAILED for a route key that is too large to store. */
export function requireStorableText(text: string): void {
  requireAtMost(text, MAX_TEXT_BYTES);
}

function requireAtMost(text: string, bytes: number): void {
  if (Buffer.byteLength(text) > bytes) throw unfit('OUTPUT_TOO_LARGE', `More than ${bytes} bytes are to be kept of it`);
}

/** Returns the error for an answer of a trigger's code that cannot be used. */
export function unfit(code: string, message: string): ApiError {
  const provider = { status: null, code, message };
  return new ApiError('ACTION_FAILED', `The trigger does not work: ${message}`, {
    details: { provider, retryable: false },
  });
}
