import { describeError, type Logger } from '@drawbridge/rpc';
import { type CircuitBreaker } from './circuit-breaker.js';
import { type Limits, type Share, Slots, type Target } from './organization-slots.js';

/** Maximum number of organizations that one statement finds, and of targets in each organization. */
const [PAGE, TARGETS] = [50, 100];
/** Maximum number of organizations for which the claimer stores the target that was served last. */
const MAX_CURSORS = 500;
/** Pause after a claim fails, for example during an outage of the database. It doubles with each further failure. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 30_000];

/**
 * The parameters of `findReady`, in order: the organization after which the search begins, the organizations to exclude, the maximum number of
 * organizations, the organizations with a cursor, their cursors (the target that was served last), and the maximum number of targets per
 * organization.
 */
export type Search = [string, string[], number, string[], string[], number];

/** The parameters of a claim: organizations, targets, and the number of jobs to take from each target. */
export type Wishes = [string[], string[], number[]];

interface Wish extends Target {
  many: number;
}

interface Parts<Job> {
  /** The name in log lines. */
  name: string;
  /** A value that sorts before all organization ids. */
  first: string;
  limits: Limits;
  breaker: Pick<CircuitBreaker, 'limitOf'>;
  log: Logger;
  /** Returns targets with ready jobs, ordered by organization. Within an organization, the targets after the one that was served last come first. */
  find(search: Search): Promise<Target[]>;
  /** Claims jobs. `isCut` is true if there were more jobs than fit in one claim. */
  claim(wishes: Wishes): Promise<{ jobs: Job[]; isCut: boolean }>;
  /** Runs a job. Resolves when the slot of the job is free. */
  begin(job: Job): Promise<unknown>;
}

/**
 * Claims ready jobs of one kind, round-robin by organization and target. A search continues after the organization at which the slots ran out, and
 * within an organization after the target that was served last. Only one search runs at a time, so that limits are exact.
 */
export class Claimer<Job extends Target & { bytes?: number }> {
  private readonly slots: Slots;
  private readonly cursors = new Map<string, string>();
  private cursor: string;
  private isWanted = false;
  private isStopped = false;
  private failures = 0;
  private pausedUntil = 0;
  private searching: Promise<void> | undefined;

  constructor(private readonly parts: Parts<Job>) {
    this.cursor = parts.first;
    this.slots = new Slots(parts.limits);
  }

  /** Starts a search, or one more search after the current search. Does nothing during a pause; a later call starts the search. */
  look(): void {
    if (this.isStopped || performance.now() < this.pausedUntil) return;
    this.isWanted = true;
    this.searching ??= this.search().finally(() => {
      this.searching = undefined;
      // Starts the search for a call of `look` that arrived after the loop had checked `isWanted` for the last time.
      if (this.isWanted) this.look();
    });
  }

  /** Resolves when the last search has completed and the jobs that it claimed have begun. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.searching;
  }

  private async search(): Promise<void> {
    while (this.isWanted && !this.isStopped) {
      this.isWanted = false;
      try {
        await this.goRound();
        this.failures = 0;
      } catch (error) {
        const line = { call: this.parts.name, error: describeError(error) };
        this.parts.log.warn(line, 'jobs could not be claimed; trying again after a pause');
        this.pausedUntil = performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** this.failures++, LONGEST_PAUSE_MS);
        return;
      }
    }
  }

  /** Searches from the organization at which the last search ended to the last organization, then from the first organization. */
  private async goRound(): Promise<void> {
    const { find, first, limits } = this.parts;
    for (let rounds = this.cursor === first ? 1 : 2; rounds > 0 && !this.slots.isFull && !this.isStopped;) {
      const [served, cursors] = [[...this.cursors.keys()], [...this.cursors.values()]];
      const found = await find([this.cursor, this.slots.fullOrganizations, PAGE, served, cursors, TARGETS]);
      const orgIds = [...new Set(found.map(({ orgId }) => orgId))];
      const shares = new Map(await Promise.all(orgIds.map(async (id) => [id, await limits.of(id)] as const)));
      const { wishes, last } = this.allot(found, shares);
      const cutAt = wishes.length > 0 && !this.isStopped ? await this.claim(wishes) : undefined;
      const isEnd = orgIds.length < PAGE && last === found.at(-1);
      // A claim is cut if more jobs were ready than fit into it. It takes at least one job, so the loop terminates.
      if (cutAt !== undefined) [this.cursor, rounds] = [cutAt, 2];
      else if (isEnd) [this.cursor, rounds] = [first, rounds - 1];
      else this.cursor = last?.orgId ?? first;
    }
  }

  /** Takes slots for the found targets, in order, until no slots are left. `last` is the last target that was considered. */
  private allot(
    found: readonly Target[],
    shares: ReadonlyMap<string, Share>,
  ): { wishes: Wish[]; last: Target | undefined } {
    const wishes: Wish[] = [];
    let last: Target | undefined;
    for (const of of found) {
      if (this.slots.isFull) break;
      const most = this.parts.breaker.limitOf(of);
      const many = this.slots.take(of, shares.get(of.orgId)!, most);
      if (many > 0) wishes.push({ ...of, many });
      // Moves the cursor past targets with open circuits: a search returns a limited number of targets, and the next search would return the same
      // targets again.
      else this.remember(of, most === 0);
      last = of;
    }
    return { wishes, last };
  }

  /**
   * Moves the cursor of an organization, after which its next search begins, to a target that was served or has an open circuit (`isPassed`). Any
   * target sets the cursor if the organization has none.
   */
  private remember({ orgId, target }: Target, isPassed: boolean): void {
    if (!isPassed && this.cursors.has(orgId)) return;
    this.cursors.delete(orgId);
    this.cursors.set(orgId, target);
    const [oldest] = this.cursors.keys();
    if (this.cursors.size > MAX_CURSORS) this.cursors.delete(oldest!);
  }

  /** Claims jobs. Returns the organization at which the claim was cut because of its size, so that the search continues after it, or undefined. */
  private async claim(wishes: readonly Wish[]): Promise<string | undefined> {
    let jobs: Job[] = [];
    const manyOf = (wish: Wish): number => jobs.filter((job) => isOf(job, wish)).length;
    let cutAt: string | undefined;
    try {
      const claimed = await this.parts.claim([
        wishes.map(({ orgId }) => orgId),
        wishes.map(({ target }) => target),
        wishes.map(({ many }) => many),
      ]);
      jobs = claimed.jobs;
      const served = claimed.isCut ? wishes.filter((wish) => manyOf(wish) > 0) : wishes;
      for (const { orgId, target } of served) this.remember({ orgId, target }, true);
      if (claimed.isCut) cutAt = served.at(-1)?.orgId;
    } finally {
      for (const wish of wishes) this.slots.release(wish, wish.many - manyOf(wish));
    }
    for (const job of jobs) this.begin(job);
    return cutAt;
  }

  private begin(job: Job): void {
    const { bytes = 0 } = job;
    this.slots.addBytes(bytes);
    void this.parts.begin(job).finally(() => {
      this.slots.addBytes(-bytes);
      this.slots.release(job);
      this.look();
    });
  }
}

function isOf(job: Target, { orgId, target }: Target): boolean {
  return job.orgId === orgId && job.target === target;
}
