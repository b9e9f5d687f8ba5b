import { ApiError } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type JsonObject } from '@drawbridge/piece-kit';
import { type HookCall, type HookRegistration } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Source } from '../gen/prisma/client.js';
import { requireTrigger } from '../sources/find-trigger.js';

/**
 * The timeout of a call of trigger code in the execution service. Opening and refreshing the credential takes up to 45 s, and the provider then has
 * 60 s.
 */
export const HOOK_TIME = { timeoutMs: 110_000 };

/**
 * Builds the request that calls the trigger code of a source, with the connection that was selected when the trigger was enabled. Throws
 * INTEGRATION_NOT_FOUND or TRIGGER_NOT_FOUND if the operator removed the piece. Without this check, the execution service would wait for the piece to
 * be installed.
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

/** Codes of errors that persist until a user or an operator changes something, so a retry cannot succeed. */
const FINAL = new Set(['CONNECTION_REQUIRED', 'CONNECTION_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN']);

interface HookFailure {
  /** The value of the Retry-After header of the provider. */
  retryAfterSeconds?: number;
  /** True if a retry may succeed. */
  isRetryable: boolean;
}

/** The details of the error ACTION_FAILED of the execution service. */
interface Details {
  provider?: { retryAfter?: unknown };
  retryable?: unknown;
}

/** Returns whether a failed call of trigger code can be retried, and after how many seconds. */
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

/** Throws ACTION_FAILED if a registration contains a state or secret that is too large to store, or if renewAt is not a date. */
export function requireStorable({ stateJson, secret = '', renewAt }: Omit<HookRegistration, 'connectionId'>): void {
  requireAtMost(stateJson, MAX_STATE_BYTES);
  requireAtMost(secret, MAX_TEXT_BYTES);
  if (renewAt !== undefined && !isStorableTime(Date.parse(renewAt))) {
    throw unfit('OUTPUT_INVALID', 'renewAt is not a valid date');
  }
}

/** Returns false for an invalid date (NaN), and for years after 9999 or before 1, which PostgreSQL cannot parse in the ISO format of JavaScript. */
function isStorableTime(at: number): boolean {
  return at >= Date.parse('0001-01-01T00:00:00Z') && at < Date.parse('+010000-01-01T00:00:00Z');
}

/** Throws ACTION_FAILED if a serialized cursor is too large to store. */
export function requireStorableCursor(cursorJson: string): void {
  requireAtMost(cursorJson, MAX_CURSOR_BYTES);
}

/** Throws ACTION_FAILED if a route key, which identifies an installation of an app, is too large to store. */
export function requireStorableText(text: string): void {
  requireAtMost(text, MAX_TEXT_BYTES);
}

function requireAtMost(text: string, bytes: number): void {
  if (Buffer.byteLength(text) > bytes) throw unfit('OUTPUT_TOO_LARGE', `A stored value exceeds ${bytes} bytes`);
}

/** Returns the error ACTION_FAILED for an invalid result of trigger code, which a retry cannot fix. */
export function unfit(code: string, message: string): ApiError {
  const provider = { status: null, code, message };
  return new ApiError('ACTION_FAILED', `The trigger does not work: ${message}`, {
    details: { provider, retryable: false },
  });
}
