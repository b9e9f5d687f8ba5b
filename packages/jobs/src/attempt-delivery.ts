import { isOutage } from '@drawbridge/rpc';
import { requireDelivered } from './deliver-webhook.js';
import { type DeliveryResult } from './judge-delivery.js';
import { MAX_ATTEMPTS } from './retry-delay.js';

/** What is noted of an attempt. */
export interface Noted {
  status: 'success' | 'retrying' | 'failed';
  httpStatus: number | null;
  errorMessage: string | null;
}

interface Attempt {
  /** Which of the job's attempts it is. */
  attempt: number;
  /** Undefined for what was ended meanwhile. */
  send(): Promise<DeliveryResult | undefined>;
  note(noted: Noted): Promise<void>;
}

/** One attempt of a job that delivers a webhook, noted; rejects where it is to be made again, as `requireDelivered` does. */
export async function attemptDelivery({ attempt, send, note }: Attempt): Promise<void> {
  const failed = attempt >= MAX_ATTEMPTS ? 'failed' : 'retrying';
  const result = await send().catch(async (error: unknown) => {
    // While something of ours is away it is made again, however often: nobody was asked.
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
