import { isOutage } from '@drawbridge/rpc';
import { requireDelivered } from './deliver-webhook.js';
import { type DeliveryResult } from './judge-delivery.js';
import { MAX_ATTEMPTS } from './retry-delay.js';

/** The recorded outcome of an attempt. */
export interface Noted {
  status: 'success' | 'retrying' | 'failed';
  httpStatus: number | null;
  errorMessage: string | null;
}

interface Attempt {
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Resolves to undefined if the delivery is no longer needed. */
  send(): Promise<DeliveryResult | undefined>;
  note(noted: Noted): Promise<void>;
}

/** Runs and records one attempt of a webhook delivery. Rejects if the job must be retried, as `requireDelivered` does. */
export async function attemptDelivery({ attempt, send, note }: Attempt): Promise<void> {
  const failed = attempt >= MAX_ATTEMPTS ? 'failed' : 'retrying';
  const result = await send().catch(async (error: unknown) => {
    // An outage of ours is not recorded and does not use up attempts, because the receiver was not contacted.
    if (!isOutage(error)) await note({ status: failed, httpStatus: null, errorMessage: 'It could not be sent' });
    throw error;
  });
  if (!result) return;
  const { httpStatus, errorMessage } = result;
  await note({ status: statusOf(result, failed), httpStatus, errorMessage });
  requireDelivered(result);
}

function statusOf({ result }: DeliveryResult, failed: Noted['status']): Noted['status'] {
  if (result === 'delivered') return 'success';
  return result === 'gone' ? 'failed' : failed;
}
