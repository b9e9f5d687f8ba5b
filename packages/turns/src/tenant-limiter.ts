import { ApiError } from '@drawbridge/contracts';
import { FairQueue } from './fair-queue.js';

/** Thrown if the queue of a tenant, or of a caller of the tenant, is full. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  readonly code = 'TOO_BUSY';
}

export interface TenantLimits {
  /** Number of slots per tenant. */
  atOnce: number;
  /** Queue length per tenant. If it is full, the last request of the caller with the most requests fails immediately. */
  waiting: number;
  /**
   * Number of slots per caller (`by` in `acquire`), so that a slow caller leaves slots to other callers of the tenant. Default: the number of slots
   * of the tenant.
   */
  atOncePerCaller?: number;
  /**
   * Queue length per caller (`by` in `acquire`). If it is full, a further request of that caller fails immediately. Default: only the queue of the
   * tenant is limited.
   */
  waitingPerCaller?: number;
}

/** The load of a pool of slots, for all tenants together. */
export interface Load {
  running: number;
  waiting: number;
}

/** Frees a slot. Call it exactly once. */
export type Release = () => void;

interface Waiter {
  /** Called when a slot is free. Takes the slot. */
  go(): void;
  refuse(error: Error): void;
}

interface Line {
  running: number;
  /** The number of slots in use by each caller, for limits per caller. */
  callers: Map<string, number>;
  /** Created for the first waiting request. */
  waiting?: FairQueue<Waiter>;
}

/** Gives each tenant separate slots. A request of a tenant without a free slot waits without delaying other tenants. */
export class TenantLimiter {
  /** The tenants that have a slot in use. */
  private readonly lines = new Map<string, Line>();

  constructor(private readonly limits: TenantLimits) {}

  /**
   * Waits for a slot. Requests of one caller (`by`) are served in order, and different callers round-robin. Throws QueueFullError if the queue is
   * full, and the reason of the signal if it aborts during the wait.
   */
  async acquire(tenant: string, signal?: AbortSignal, by = ''): Promise<Release> {
    const free = this.tryAcquire(tenant, by);
    if (free) return free;
    const line = this.lineOf(tenant);
    await this.wait(line, by, signal);
    return () => this.end(tenant, line, by);
  }

  /** Takes a slot without waiting. Returns undefined if no slot is free. */
  tryAcquire(tenant: string, by = ''): Release | undefined {
    const line = this.lineOf(tenant);
    if (line.running >= this.limits.atOnce || !this.mayTake(line, by)) return undefined;
    this.take(line, by);
    return () => this.end(tenant, line, by);
  }

  /** Returns the number of tenants that have a slot in use. */
  get tenants(): number {
    return this.lines.size;
  }

  get load(): Load {
    const load = { running: 0, waiting: 0 };
    for (const { running, waiting } of this.lines.values()) {
      load.running += running;
      load.waiting += waiting?.size ?? 0;
    }
    return load;
  }

  private lineOf(tenant: string): Line {
    const line: Line = this.lines.get(tenant) ?? { running: 0, callers: new Map() };
    this.lines.set(tenant, line);
    return line;
  }

  private wait(line: Line, by: string, signal?: AbortSignal): Promise<void> {
    const waiting = (line.waiting ??= new FairQueue());
    const { waiting: most, waitingPerCaller: mostOfCaller } = this.limits;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (mostOfCaller !== undefined && waiting.of(by).length >= mostOfCaller) return reject(queueFull(mostOfCaller));
      const leave = (): void => {
        waiting.remove(by, waiter);
        reject(signal?.reason);
      };
      const settled = (settle: () => void): void => {
        signal?.removeEventListener('abort', leave);
        settle();
      };
      const go = (): void => {
        this.take(line, by);
        settled(resolve);
      };
      const waiter = { go, refuse: (error: Error) => settled(() => reject(error)) };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.enqueue(by, waiter);
      if (waiting.size > most) refuseLast(waiting);
    });
  }

  private mayTake({ callers }: Line, by: string): boolean {
    return (callers.get(by) ?? 0) < (this.limits.atOncePerCaller ?? Infinity);
  }

  private take(line: Line, by: string): void {
    line.running++;
    if (this.limits.atOncePerCaller !== undefined) line.callers.set(by, (line.callers.get(by) ?? 0) + 1);
  }

  private end(tenant: string, line: Line, by: string): void {
    line.running--;
    const left = (line.callers.get(by) ?? 0) - 1;
    if (left > 0) line.callers.set(by, left);
    else line.callers.delete(by);
    const next = line.waiting?.dequeue((caller) => this.mayTake(line, caller));
    if (next) return next.go();
    if (line.running === 0) this.lines.delete(tenant);
  }
}

/** Rejects the last request of the caller with the most requests, so that a caller with many requests cannot exclude other callers of the tenant. */
function refuseLast(waiting: FairQueue<Waiter>): void {
  const by = waiting.longest()!;
  const last = waiting.of(by).at(-1)!;
  waiting.remove(by, last);
  last.refuse(queueFull(waiting.size));
}

function queueFull(size: number): QueueFullError {
  return new QueueFullError(`${size} requests already wait`);
}

/**
 * Returns the error for a caller that got no slot: RATE_LIMITED with the message `full` if the queue was full, or TIMEOUT if the caller disconnected
 * or its deadline passed.
 */
export function slotRefused(cause: unknown, full: string, retryAfter = 1): ApiError {
  return cause instanceof QueueFullError
    ? new ApiError('RATE_LIMITED', full, { cause, details: { retryAfter } })
    : new ApiError('TIMEOUT', 'The request got no slot before its caller disconnected or its deadline passed', {
        cause,
      });
}
