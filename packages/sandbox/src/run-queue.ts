import { FairQueue } from '@drawbridge/turns';
import type { Run } from './run.js';

/** A queue of runs that wait for a thread, round-robin by organization, and by caller within an organization. */
export class RunQueue {
  /** Ordered by the time of the last service, longest ago first. */
  private readonly organizations = new Map<string, FairQueue<Run>>();

  get size(): number {
    return this.organizations.size;
  }

  enqueue(run: Run): void {
    const { organization, caller } = run.options;
    const queue = this.organizations.get(organization) ?? new FairQueue<Run>();
    this.organizations.set(organization, queue);
    queue.enqueue(caller, run);
  }

  /** Removes and returns the next run for which `mayTake` returns true. `mayTake` must return the same result for all runs of a caller. */
  dequeue(mayTake: (run: Run) => boolean): Run | undefined {
    for (const [organization, queue] of this.organizations) {
      const run = queue.dequeue((caller) => mayTake(queue.of(caller)[0]!));
      if (!run) continue;
      this.organizations.delete(organization);
      if (queue.size > 0) this.organizations.set(organization, queue);
      return run;
    }
    return undefined;
  }

  remove(run: Run): void {
    const { organization, caller } = run.options;
    const queue = this.organizations.get(organization);
    queue?.remove(caller, run);
    if (queue?.size === 0) this.organizations.delete(organization);
  }

  /** Returns whether a run of the organization, or of its caller, is in the queue. */
  has(organization: string, caller?: string): boolean {
    const queue = this.organizations.get(organization);
    return queue !== undefined && (caller === undefined || queue.of(caller).length > 0);
  }
}
