import { isOutage, keepTrying } from '@drawbridge/rpc';
import { requireDelivered, type TimedResult } from './deliver-webhook.js';
import { JobFailure } from './job-failure.js';
import { type DeliveryResult } from './judge-delivery.js';
import { MAX_ATTEMPTS } from './retry-delay.js';
import { type JobContext } from './attempt-and-retry.js';

/** During an outage of the database, storing a result is retried every AGAIN_MS, for at most NOTE_MS. */
const [NOTE_MS, AGAIN_MS] = [5_000, 250];

/** The outcome of an attempt as it is recorded. */
export interface Noted {
  status: 'success' | 'retrying' | 'failed';
  httpStatus: number | null;
  errorMessage: string | null;
}

interface Attempt {
  job: Pick<JobContext, 'attempt' | 'noteTarget' | 'signal'>;
  /** Resolves to undefined if the delivery is no longer needed. */
  send(): Promise<TimedResult | undefined>;
  note(noted: Noted): Promise<void>;
}

/** Runs and records one attempt of a webhook delivery. Rejects if the job must be retried, as `requireDelivered` does. */
export async function attemptDelivery({ job, send, note }: Attempt): Promise<void> {
  const failed = job.attempt >= MAX_ATTEMPTS ? 'failed' : 'retrying';
  const result = await send().catch(async (error: unknown) => {
    // An outage of a Drawbridge service is not recorded and does not count as an attempt, because the receiver was not contacted. After the lease is
    // lost, another process attempts the delivery.
    if (!isOutage(error) && !job.signal.aborted)
      await note({ status: failed, httpStatus: null, errorMessage: 'It could not be sent' });
    throw error;
  });
  if (!result) return;
  // Only the response time of the receiver counts: a slow vault or database must not open the circuit breaker of a receiver.
  job.noteTarget({ tookMs: result.tookMs, hasFailed: result.result !== 'delivered' });
  const { httpStatus, errorMessage } = result;
  const noted = { status: statusOf(result, failed), httpStatus, errorMessage };
  await keepTrying({ until: performance.now() + NOTE_MS, pauseMs: AGAIN_MS, mayPass: isOutage }, () =>
    note(noted),
  ).catch(() => {
    // The receiver was called, so this counts as an attempt even if the database is unavailable.
    throw new JobFailure('The result of the attempt could not be stored');
  });
  requireDelivered(result);
}

function statusOf({ result }: DeliveryResult, failed: Noted['status']): Noted['status'] {
  if (result === 'delivered') return 'success';
  return result === 'gone' ? 'failed' : failed;
}
