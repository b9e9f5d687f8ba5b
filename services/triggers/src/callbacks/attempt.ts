import { ApiError } from '@drawbridge/contracts';
import { type Egress } from '@drawbridge/egress';
import { deliverWebhook, type DeliveryResult, retryDelay, signWebhook, type TimedResult } from '@drawbridge/jobs';
import { describeError, isOutage, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type OpenedSecrets } from '../secrets/source-secrets.js';
import { pauseDelivery } from '../suspension/pause.js';
import { type WorkspaceStates } from '../suspension/workspace-states.js';
import { headersOf, type OpenDelivery } from './callback.js';
import { type End } from './record-attempts.js';

/**
 * Delay, in milliseconds, before a retry if another service of Drawbridge was unavailable. Such an attempt does not count towards the retry limit.
 */
const OUTAGE_MS = 5_000;

const GIVEN_BACK: End = { status: 'retrying', httpStatus: null, errorMessage: null, inMs: OUTAGE_MS, isSpent: false };

export interface AttemptParts {
  egress: Pick<Egress, 'sendFor'>;
  secrets: OpenedSecrets;
  states: Pick<WorkspaceStates, 'find'>;
  pool: Pool;
  log: Logger;
}

/**
 * Makes one attempt to deliver a callback and returns its result. If another service of Drawbridge is unavailable or too slow, no callback is sent
 * and the attempt does not count. Returns undefined if the workspace is suspended, because the delivery is then paused.
 */
export async function attempt(parts: AttemptParts, open: OpenDelivery, body: string): Promise<End | undefined> {
  try {
    const state = await parts.states.find(open);
    if (state === 'suspended') return await pauseDelivery(parts.pool, open);
    if (state === 'gone' || !open.isWanted) {
      return over('The trigger was disabled before the event was delivered', null);
    }
    if (open.payload === null) return over('The event is no longer stored', null);
    if (open.callbackUrl === null) return { ...over(null, null), status: 'kept' };
    const result = await send(parts, { ...open, callbackUrl: open.callbackUrl }, body);
    return result ? { ...toEnd(result, open.tries), tookMs: result.tookMs } : GIVEN_BACK;
  } catch (error) {
    const { orgId, sourceId } = open;
    parts.log.warn({ orgId, sourceId, attempt: open.attempt, error: describeError(error) }, 'a callback was not sent');
    if (isOurs(error)) return GIVEN_BACK;
    const failure = { httpStatus: null, errorMessage: 'The callback could not be sent', retryAfterMs: 0 };
    return toEnd({ result: 'failed', ...failure }, open.tries);
  }
}

/**
 * Returns true for an error of another service of Drawbridge that is unavailable or times out. A failure of the receiver is returned as a result, and
 * not thrown.
 */
function isOurs(error: unknown): boolean {
  return isOutage(error) || (error instanceof ApiError && error.code === 'TIMEOUT');
}

/** Sends the callback. Returns undefined without sending if the remaining time of the lease is too short. */
async function send(
  { egress, secrets }: AttemptParts,
  open: OpenDelivery & { callbackUrl: string },
  body: string,
): Promise<TimedResult | undefined> {
  const { orgId, eventId, sourceId, callbackUrl: url } = open;
  const opened = await secrets.open({ id: sourceId, orgId });
  if (performance.now() > open.sendBy) return undefined;
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = signWebhook({ id: eventId, timestamp, body, secrets: [opened.signingSecret] });
  const headers = headersOf(open, open.attempt, opened);
  return deliverWebhook({ send: egress.sendFor(orgId), url, body, headers, signature });
}

/** Determines the next status of a delivery from the result of an attempt. `tries` includes this attempt. */
export function toEnd({ result, httpStatus, errorMessage, retryAfterMs }: DeliveryResult, tries: number): End {
  if (result === 'delivered') return { ...over(errorMessage, httpStatus), status: 'success' };
  const delay = result === 'gone' ? undefined : retryDelay(tries + 1);
  if (delay === undefined) return over(errorMessage, httpStatus);
  return { status: 'retrying', httpStatus, errorMessage, inMs: Math.max(delay, retryAfterMs), isSpent: true };
}

function over(errorMessage: string | null, httpStatus: number | null): End {
  return { status: 'failed', httpStatus, errorMessage, inMs: 0, isSpent: true };
}
