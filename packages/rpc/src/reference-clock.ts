import { type Logger } from './log.js';

/** Maximum difference between the clocks of a machine and the database. With a larger difference, valid tokens would appear to be expired. */
export const TOLERATED_SKEW_MS = 120_000;
const OLD_MS = 15_000;
/** Upper bound of the relative drift of two quartz clocks: a reading loses at most one millisecond of accuracy per second. */
const DRIFT = 1e-3;

/** The time that another machine sent, and the times by `performance.now()` at which it was requested and received. */
export interface ClockReading {
  epochMs: number;
  sentAt: number;
  receivedAt: number;
}

interface Kept {
  epochMs: number;
  at: number;
  errorMs: number;
}

/**
 * The database's clock, which all processes use, so that they agree on a deadline even if the clocks of their machines differ. It is read
 * periodically and advanced by the monotonic clock, so that a step of this machine's clock does not affect it.
 */
export class ReferenceClock {
  private kept: Kept | undefined;

  /** Stores the reading if it is more exact than the current reading. The longer the response took, the less exact its time is. */
  learn({ epochMs, sentAt, receivedAt }: ClockReading): void {
    if (!Number.isFinite(epochMs)) return;
    const errorMs = (receivedAt - sentAt) / 2;
    const { kept } = this;
    if (kept && kept.errorMs + (receivedAt - kept.at) * DRIFT < errorMs) return;
    this.kept = { epochMs, at: sentAt + errorMs, errorMs };
  }

  /** Returns epoch milliseconds; undefined before the first reading. */
  now(): number | undefined {
    return this.kept && this.kept.epochMs + performance.now() - this.kept.at;
  }

  /** Returns whether the stored reading is missing or so old that the clock must be read again. */
  isDue(): boolean {
    return !this.kept || performance.now() - this.kept.at > OLD_MS;
  }

  /** Returns how many milliseconds this machine's clock is ahead of the reference; 0 before the first reading. */
  skewMs(): number {
    const now = this.now();
    return now === undefined ? 0 : Date.now() - now;
  }

  isSkewed(): boolean {
    return Math.abs(this.skewMs()) > TOLERATED_SKEW_MS;
  }

  /** Throws an error for the operator if this machine's clock differs from the reference by more than two minutes. */
  requireAgreement(): void {
    if (!this.isSkewed()) return;
    const seconds = Math.round(this.skewMs() / 1_000);
    const way = seconds > 0 ? 'ahead of' : 'behind';
    throw new Error(
      `The clock of this machine is ${Math.abs(seconds)} s ${way} the database's clock; at most ${TOLERATED_SKEW_MS / 1_000} s are tolerated. ` +
        'Synchronize it (NTP).',
    );
  }
}

/** The clock of this process. There is one per process. */
export const referenceClock = new ReferenceClock();

const LOOK_MS = 500;

/**
 * Calls `onSkewed` when this machine's clock starts to differ from the reference by more than the tolerance, and logs the difference and the
 * recovery. Returns a function that stops the watch.
 */
export function watchClock(clock: ReferenceClock, log: Logger, onSkewed: () => void): () => void {
  let wasSkewed = false;
  const look = (): void => {
    const isSkewed = clock.isSkewed();
    if (isSkewed === wasSkewed) return;
    wasSkewed = isSkewed;
    const skewSeconds = Math.round(clock.skewMs() / 1_000);
    if (!isSkewed) return log.info({ skewSeconds }, 'the clock is synchronized again; calls are accepted');
    log.error(
      { skewSeconds },
      "the clock differs from the database's clock; calls are refused until it is synchronized (NTP)",
    );
    onSkewed();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}
