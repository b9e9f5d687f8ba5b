import { ApiError } from '@drawbridge/contracts';
import { type Background, untilDeadline } from '@drawbridge/rpc';
import { type FinishedRun } from '../run-log/record.js';

const MAX_UNSTORED = { runs: 1_000, bytes: 256 * 1024 * 1024 };

/**
 * What this process still has to do for runs. They go on when their caller has gone, so nobody else knows of them when the
 * process is asked to end; those whose end can't be stored yet are tried on for minutes, and kept so long.
 */
export class RunsUnderWay implements Background {
  private readonly underWay = new Set<Promise<unknown>>();
  private unstored = 0;
  private unstoredBytes = 0;

  constructor(private readonly limits = MAX_UNSTORED) {}

  /** Keeps the process from ending before the run does. */
  track<T>(run: Promise<T>): Promise<T> {
    this.underWay.add(run);
    const forget = (): void => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }

  /** Returns what to call when it is stored, or given up. */
  addUnstored({ outcome, loggedOutput }: FinishedRun): () => void {
    const bytes = (outcome.outputJson?.length ?? 0) + (loggedOutput?.length ?? 0);
    this.unstored += 1;
    this.unstoredBytes += bytes;
    return () => {
      this.unstored -= 1;
      this.unstoredBytes -= bytes;
    };
  }

  /** Before anything is sent. Throws UNAVAILABLE when one more might have to be kept than there is room for. */
  requireCapacity(): void {
    if (this.unstored < this.limits.runs && this.unstoredBytes < this.limits.bytes) return;
    throw new ApiError('UNAVAILABLE', 'Runs can not be recorded at the moment; try again');
  }

  start(): void {}

  async stop(deadline: number): Promise<void> {
    await untilDeadline(Promise.allSettled(this.underWay), deadline);
  }
}
