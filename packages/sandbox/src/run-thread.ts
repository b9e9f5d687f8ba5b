import type { Order } from './messages.js';
import type { Thread, ThreadUser } from './thread.js';

/** If a run computes for this much longer than its limit, it did not react to the limit, and its thread is killed. */
const GRACE_MS = 500;

/**
 * The worker thread of one run. A run that waits has none if its VM was copied out of the thread (parked). Records whether and for how long the run
 * computes.
 */
export class RunThread {
  isParking = false;
  private thread: Thread | undefined;
  /** Number of orders that the thread has not yet completed. */
  private computing = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onLate: () => void) {}

  get isAttached(): boolean {
    return this.thread !== undefined;
  }

  /** True if the run can compute immediately. */
  get isUsable(): boolean {
    return this.thread !== undefined && !this.isParking;
  }

  /** True if the run has a thread but only waits for host calls, so that it can be parked. */
  get isWaiting(): boolean {
    return this.isUsable && this.computing === 0;
  }

  attach(thread: Thread, user: ThreadUser): void {
    this.thread = thread;
    thread.take(user);
  }

  send(order: Order): void {
    this.thread?.send(order);
  }

  /** Sends an order that makes the code compute. Calls `onLate` if the code computes for much longer than `leftMs`. */
  compute(order: Order, leftMs: number): void {
    this.computing++;
    this.send(order);
    this.timer ??= setTimeout(this.onLate, Math.max(leftMs, 0) + GRACE_MS);
  }

  /** Records the completion of one order. */
  onWaiting(): void {
    this.computing--;
    if (this.computing === 0) this.stopTimer();
  }

  park(): void {
    this.isParking = true;
    this.send({ type: 'park' });
  }

  /** Releases the thread after the run was parked, which has copied the VM out of the thread. */
  leave(): void {
    this.isParking = false;
    this.forget((thread) => thread.release());
  }

  /** Releases the thread including its VM. A thread that computes, or has a damaged engine, must be killed. */
  end({ isDamaged = false } = {}): void {
    if (isDamaged || this.computing > 0 || this.isParking) return this.forget((thread) => thread.kill());
    this.send({ type: 'drop' });
    this.leave();
  }

  onLost(): void {
    this.forget(() => undefined);
  }

  /** Handles an order that ended the run. */
  onEnded(isDamaged: boolean): void {
    this.computing = 0;
    this.end({ isDamaged });
  }

  private forget(leave: (thread: Thread) => void): void {
    this.stopTimer();
    const { thread } = this;
    this.thread = undefined;
    if (thread) leave(thread);
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
