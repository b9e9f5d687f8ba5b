import { FairQueue } from '@drawbridge/turns';
import type { Run } from './run.js';

/** Runs that wait for a thread, round-robin over the organizations, and over the callers of each. */
export class RunQueue {
  /** The organization that was served least recently comes first. */
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

  /** Removes and returns the next run that `mayTake`. All runs of a caller get the same answer of `mayTake`. */
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

  /** Whether a run of the organization, or of its caller, waits. */
  has(organization: string, caller?: string): boolean {
    const queue = this.organizations.get(organization);
    return queue !== undefined && (caller === undefined || queue.of(caller).length > 0);
  }
}
