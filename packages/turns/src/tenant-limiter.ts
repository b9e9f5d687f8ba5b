import { ApiError } from '@drawbridge/contracts';
import { FairQueue } from './fair-queue.js';

/** Too many requests of this tenant wait already. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  readonly code = 'TOO_BUSY';
}

export interface TenantLimits {
  /** Slots of one tenant. */
  atOnce: number;
  /** Waiting requests of one tenant; one more makes the last of its longest line fail at once. */
  waiting: number;
}

/** Frees a slot; to be called once. */
export type Release = () => void;

interface Waiter {
  go(): void;
  refuse(error: Error): void;
}

interface Line {
  running: number;
  /** Made for the first that waits. */
  waiting?: FairQueue<Waiter>;
}

/** Gives each tenant its own slots: beyond them the requests of that tenant wait, and no other tenant's. */
export class TenantLimiter {
  /** Of tenants with a slot in use. */
  private readonly lines = new Map<string, Line>();

  constructor(private readonly limits: TenantLimits) {}

  /**
   * First come, first served among those of one `by`; these take turns. Throws QueueFullError when too many wait, and the signal's
   * reason when it aborts while waiting.
   */
  async acquire(tenant: string, signal: AbortSignal, by = ''): Promise<Release> {
    const free = this.tryAcquire(tenant);
    if (free) return free;
    const line = this.lineOf(tenant);
    await this.wait((line.waiting ??= new FairQueue()), by, signal);
    return () => this.end(tenant, line);
  }

  /** Takes a slot without waiting; undefined where none is free. */
  tryAcquire(tenant: string): Release | undefined {
    const line = this.lineOf(tenant);
    if (line.running >= this.limits.atOnce) return undefined;
    line.running++;
    return () => this.end(tenant, line);
  }

  /** How many tenants have a slot in use. */
  get tenants(): number {
    return this.lines.size;
  }

  private lineOf(tenant: string): Line {
    const line: Line = this.lines.get(tenant) ?? { running: 0 };
    this.lines.set(tenant, line);
    return line;
  }

  private wait(waiting: FairQueue<Waiter>, by: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = (): void => {
        waiting.remove(by, waiter);
        reject(signal.reason);
      };
      const settled = (settle: () => void): void => {
        signal.removeEventListener('abort', leave);
        settle();
      };
      const waiter = { go: () => settled(resolve), refuse: (error: Error) => settled(() => reject(error)) };
      signal.addEventListener('abort', leave, { once: true });
      waiting.enqueue(by, waiter);
      if (waiting.size > this.limits.waiting) refuseLast(waiting);
    });
  }

  private end(tenant: string, line: Line): void {
    // The slot passes to the next one: as many stay in use.
    const next = line.waiting?.dequeue();
    if (next) return next.go();
    line.running--;
    if (line.running === 0) this.lines.delete(tenant);
  }
}

/** A caller with many waiting requests must not keep another of the tenant from waiting at all. */
function refuseLast(waiting: FairQueue<Waiter>): void {
  const by = waiting.longest()!;
  const last = waiting.of(by).at(-1)!;
  waiting.remove(by, last);
  last.refuse(new QueueFullError(`${waiting.size} wait already`));
}

/**
 * Returns the answer to a caller who got no slot: RATE_LIMITED where too many waited already, which `full` says, and TIMEOUT where the
 * caller left, or waited until its deadline.
 */
export function slotRefused(cause: unknown, full: string, retryAfter = 1): ApiError {
  return cause instanceof QueueFullError
    ? new ApiError('RATE_LIMITED', full, { cause, details: { retryAfter } })
    : new ApiError('TIMEOUT', 'The request had no slot before its caller left or its deadline passed', { cause });
}
