import { type Release, FairQueue, TenantLimiter } from '@drawbridge/turns';
import { waitForTurn } from './concurrency-limit.js';

/** Of one organization, held in memory. */
const HELD = { atOnce: 8, waiting: 200 };

/**
 * Large bodies cost the event loop tens of milliseconds each, and whoever sends many must not keep everybody waiting: they
 * are worked on one at a time, organizations in turn, and as long as one took the loop belongs to all others.
 */
export class LargeBodies {
  private readonly held = new TenantLimiter(HELD);
  private readonly queue = new FairQueue<() => void>();
  private isBusy = false;

  /** Resolves when there is room for one more of this organization; what is returned frees it. Throws RATE_LIMITED. */
  reserve(tenant: string, signal: AbortSignal): Promise<Release> {
    return waitForTurn(this.held, tenant, signal);
  }

  /** Resolves when a body may be worked on: until the loop is given back. */
  waitForTurn(tenant: string): Promise<void> {
    return new Promise((resolve) => {
      this.queue.enqueue(tenant, resolve);
      this.next();
    });
  }

  private next(): void {
    const go = this.isBusy ? undefined : this.queue.dequeue();
    if (!go) return;
    this.isBusy = true;
    const startedAt = performance.now();
    go();
    setImmediate(() => setTimeout(() => this.pass(), performance.now() - startedAt));
  }

  private pass(): void {
    this.isBusy = false;
    this.next();
  }
}
