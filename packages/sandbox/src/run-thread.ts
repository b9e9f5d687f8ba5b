import type { Order } from './messages.js';
import type { Thread, ThreadUser } from './thread.js';

/** A run that computes for this much longer than its limit did not react to it: its thread is killed. */
const GRACE_MS = 500;

/** The thread of one run, while it has one: knows whether the run computes there, and for how long. */
export class RunThread {
  isParking = false;
  private thread: Thread | undefined;
  /** Orders that the thread has not reported the end of. */
  private computing = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onLate: () => void) {}

  get isAttached(): boolean {
    return this.thread !== undefined;
  }

  /** Whether the run can compute at once. */
  get isUsable(): boolean {
    return this.thread !== undefined && !this.isParking;
  }

  /** Whether the run only waits, so that it can be parked. */
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

  /** Sends an order that makes the code compute, for `leftMs` at most. */
  compute(order: Order, leftMs: number): void {
    this.computing++;
    this.send(order);
    this.timer ??= setTimeout(this.onLate, Math.max(leftMs, 0) + GRACE_MS);
  }

  /** Notes the end of one order. */
  onWaiting(): void {
    this.computing--;
    if (this.computing === 0) this.stopTimer();
  }

  park(): void {
    this.isParking = true;
    this.send({ type: 'park' });
  }

  /** Leaves the thread after the VM has left it. */
  leave(): void {
    this.isParking = false;
    this.forget((thread) => thread.release());
  }

  /** Leaves the thread with its VM. A thread that computes, or has a damaged engine, can only be ended. */
  end({ isDamaged = false } = {}): void {
    if (isDamaged || this.computing > 0 || this.isParking) return this.forget((thread) => thread.kill());
    this.send({ type: 'drop' });
    this.leave();
  }

  onLost(): void {
    this.forget(() => undefined);
  }

  /** The order that is under way ends the run. */
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
