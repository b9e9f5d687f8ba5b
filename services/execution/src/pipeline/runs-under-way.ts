import { ApiError } from '@drawbridge/contracts';
import { type Background, untilDeadline } from '@drawbridge/rpc';
import { type FinishedRun } from '../run-log/record.js';

const MAX_UNSTORED = { runs: 1_000, bytes: 256 * 1024 * 1024 };

/**
 * Tracks the runs of this process. A run continues after its caller hangs up, so only this class knows of it at shutdown. An outcome
 * that cannot be stored is retried for minutes and counts towards the limits until then.
 */
export class RunsUnderWay implements Background {
  private readonly underWay = new Set<Promise<unknown>>();
  private unstored = 0;
  private unstoredBytes = 0;

  constructor(private readonly limits = MAX_UNSTORED) {}

  /** Delays shutdown until the run has ended. */
  track<T>(run: Promise<T>): Promise<T> {
    this.underWay.add(run);
    const forget = (): void => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }

  /** Returns a function to call when the outcome is stored or given up. */
  addUnstored({ outcome, loggedOutput }: FinishedRun): () => void {
    const bytes = (outcome.outputJson?.length ?? 0) + (loggedOutput?.length ?? 0);
    this.unstored += 1;
    this.unstoredBytes += bytes;
    return () => {
      this.unstored -= 1;
      this.unstoredBytes -= bytes;
    };
  }

  /** Throws UNAVAILABLE if too many outcomes wait to be stored. Call it before anything is sent. */
  requireCapacity(): void {
    if (this.unstored < this.limits.runs && this.unstoredBytes < this.limits.bytes) return;
    throw new ApiError('UNAVAILABLE', 'Runs can not be recorded at the moment; try again');
  }

  start(): void {}

  async stop(deadline: number): Promise<void> {
    await untilDeadline(Promise.allSettled(this.underWay), deadline);
  }
}
