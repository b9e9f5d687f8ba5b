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

/** Delay before a retry when one of our own services was unavailable. Such an attempt does not count. */
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
 * Makes one attempt and returns how it ended. When one of our services is unavailable or too slow, no callback is sent and the attempt does not
 * count. Returns undefined in a suspended workspace, where the delivery is paused, and after an unexpected error, where the lease expires.
 */
export async function attempt(parts: AttemptParts, open: OpenDelivery, body: string): Promise<End | undefined> {
  try {
    const state = await parts.states.find(open);
    if (state === 'suspended') return await pauseDelivery(parts.pool, open);
    if (state === 'gone' || !open.isWanted) {
      return over('The trigger was disabled before this was delivered', null);
    }
    if (open.payload === null) return over('What happened is no longer kept', null);
    const result = await send(parts, open, body);
    return result ? { ...toEnd(result, open.tries), tookMs: result.tookMs } : GIVEN_BACK;
  } catch (error) {
    const { orgId, sourceId } = open;
    parts.log.warn({ orgId, sourceId, attempt: open.attempt, error: describeError(error) }, 'a callback was not sent');
    if (isOurs(error)) return GIVEN_BACK;
    const failure = { httpStatus: null, errorMessage: 'It could not be sent', retryAfterMs: 0 };
    return toEnd({ result: 'failed', ...failure }, open.tries);
  }
}

/** A receiver's failure is a result, not an exception. These errors come from our own services, which are unavailable or time out. */
function isOurs(error: unknown): boolean {
  return isOutage(error) || (error instanceof ApiError && error.code === 'TIMEOUT');
}

/** Returns undefined when the lease no longer leaves enough time to send. */
async function send(
  { egress, secrets }: AttemptParts,
  open: OpenDelivery,
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

/** `tries` includes this attempt. */
export function toEnd({ result, httpStatus, errorMessage, retryAfterMs }: DeliveryResult, tries: number): End {
  if (result === 'delivered') return { ...over(errorMessage, httpStatus), status: 'success' };
  const delay = result === 'gone' ? undefined : retryDelay(tries + 1);
  if (delay === undefined) return over(errorMessage, httpStatus);
  return { status: 'retrying', httpStatus, errorMessage, inMs: Math.max(delay, retryAfterMs), isSpent: true };
}

function over(errorMessage: string | null, httpStatus: number | null): End {
  return { status: 'failed', httpStatus, errorMessage, inMs: 0, isSpent: true };
}
