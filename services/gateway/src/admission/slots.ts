import { type Release, slotRefused, TenantLimiter } from '@drawbridge/turns';
import { type Response } from 'express';
import { type Kind, type Limit, LIMITS, type Subject } from './limits.js';
import { Refusals } from './refusals.js';

const OVER = new Error('The response is over');

/** The slots of a gateway process. */
export class Slots {
  private readonly limiters = new Map<Limit, TenantLimiter>();

  constructor(private readonly refusals = new Refusals()) {}

  /**
   * Waits for a slot of each limit of this kind of work; the returned function frees them. Throws RATE_LIMITED when too many wait, and
   * TIMEOUT when the signal aborts first.
   */
  async take(kind: Kind, subject: Subject, signal: AbortSignal): Promise<Release> {
    const held: Release[] = [];
    const release = (): void => held.splice(0).forEach((end) => end());
    const limits: readonly Limit[] = LIMITS[kind];
    for (const limit of limits) {
      const values = limit.per.map((dimension) => subject[dimension]);
      if (values.includes(undefined)) continue;
      const by = limit.fairBy && subject[limit.fairBy];
      try {
        held.push(await this.limiterOf(limit).acquire(values.join(' '), signal, by));
      } catch (error) {
        release();
        throw this.refused(kind, limit, error);
      }
    }
    return release;
  }

  private limiterOf(limit: Limit): TenantLimiter {
    const limiter = this.limiters.get(limit) ?? new TenantLimiter({ atOnce: limit.slots, waiting: limit.waiting });
    this.limiters.set(limit, limiter);
    return limiter;
  }

  private refused(kind: Kind, { what, slots, waiting }: Limit, cause: unknown): Error {
    const full = `Limit reached: ${kind}, ${what}: ${slots} at once, ${waiting} waiting. Try again in 1 s`;
    const error = slotRefused(cause, full);
    this.refusals.count({ kind, limit: what, code: error.code });
    return error;
  }
}

interface Held {
  kind: Kind;
  subject: Subject;
  release: Release;
}

/** The slots of one request: all that it takes are free again when the request is over. */
export class RequestSlots {
  private held: Held[] = [];
  private isOver = false;
  /** Aborts when there is nothing to wait for any more. */
  private readonly waiting = new AbortController();

  constructor(
    private readonly slots: Slots,
    signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.waiting.abort(OVER));
  }

  /** As `Slots.take`; the slots are kept until the request is over. */
  async take(kind: Kind, subject: Subject): Promise<void> {
    const release = await this.slots.take(kind, subject, this.waiting.signal);
    if (this.isOver) release();
    else this.held.push({ kind, subject, release });
  }

  /** Frees the slots of this kind, or all, before the request is over. Returns what they were. */
  free(kind?: Kind): Held[] {
    const freed = this.held.filter((one) => kind === undefined || one.kind === kind);
    this.held = this.held.filter((one) => !freed.includes(one));
    for (const { release } of freed) release();
    return freed;
  }

  /** Holds no slot while `work` waits for others. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const before = this.free();
    try {
      return await work();
    } finally {
      for (const { kind, subject } of before) await this.take(kind, subject);
    }
  }

  /** The response is over. */
  end(): void {
    this.isOver = true;
    this.waiting.abort(OVER);
    if (this.held.length > 0) this.free();
  }
}

/** The slots of the request that is answered. */
export function slotsOf(response: Response): RequestSlots {
  return response.locals['slots'];
}
