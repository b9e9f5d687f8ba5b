import { ApiError } from '@drawbridge/contracts';
import { type FinishedRun } from './record.js';

const LIMITS = { runs: 1_000, bytes: 256 * 1024 * 1024 };

/** The runs of this process whose end could not be stored yet. They are tried on for minutes, and kept so long. */
export class UnstoredRuns {
  private runs = 0;
  private bytes = 0;

  constructor(private readonly limits = LIMITS) {}

  /** Returns what to call when it is stored, or given up. */
  add({ outcome, loggedOutput }: FinishedRun): () => void {
    const bytes = (outcome.outputJson?.length ?? 0) + (loggedOutput?.length ?? 0);
    this.runs += 1;
    this.bytes += bytes;
    return () => {
      this.runs -= 1;
      this.bytes -= bytes;
    };
  }

  /** Before anything is sent. Throws UNAVAILABLE when one more might have to be kept than there is room for. */
  requireCapacity(): void {
    if (this.runs < this.limits.runs && this.bytes < this.limits.bytes) return;
    throw new ApiError('UNAVAILABLE', 'Runs can not be recorded at the moment; try again');
  }
}
