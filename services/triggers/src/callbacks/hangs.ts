import { type End } from './note-ends.js';

/** An attempt hung if it took at least this long and failed. */
const HUNG_MS = 10_000;
/** Pause after the first hang; it doubles with each further hang in a row. */
const [FIRST_MS, LONGEST_MS] = [15_000, 120_000];
/** A circuit breaker that saw no attempt for this long after its pause is forgotten. */
const FORGOTTEN_MS = 600_000;
/** The least recently used is evicted. Its circuit breakers open again after the next hang. */
const MAX_ORGANIZATIONS = 5_000;

interface Hang {
  times: number;
  until: number;
}

interface Of {
  orgId: string;
  sourceId: string;
}

/**
 * A circuit breaker for each source, in this process. After a hang the source is paused, and then limited to one attempt at a time until one ends in
 * time. Otherwise receivers that hang would occupy all slots for 15 s with each attempt.
 */
export class Hangs {
  private readonly organizations = new Map<string, Map<string, Hang>>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Runs an attempt and records its outcome if a callback was sent. */
  async watch(of: Of, attempt: () => Promise<End | undefined>): Promise<End | undefined> {
    const begunAt = this.now();
    const end = await attempt();
    if (end?.isSpent) this.note(of, { tookMs: this.now() - begunAt, hasFailed: end.status !== 'success' });
    return end;
  }

  /** Records the outcome of an attempt. Several attempts that hang at the same time count once. */
  note({ orgId, sourceId }: Of, { tookMs, hasFailed }: { tookMs: number; hasFailed: boolean }): void {
    const own = this.organizations.get(orgId) ?? new Map<string, Hang>();
    for (const [id, { until }] of own) if (until + FORGOTTEN_MS < this.now()) own.delete(id);
    const known = own.get(sourceId);
    if (!hasFailed || tookMs < HUNG_MS) own.delete(sourceId);
    else if (!known || known.until <= this.now()) {
      const times = (known?.times ?? 0) + 1;
      own.set(sourceId, { times, until: this.now() + Math.min(FIRST_MS * 2 ** (times - 1), LONGEST_MS) });
    }
    this.keep(orgId, own);
  }

  /** Returns the concurrency limits of the sources that hung, and whether any of them is paused now. */
  limitsOf(orgId: string): { limits: ReadonlyMap<string, number>; isResting: boolean } {
    const [limits, now] = [new Map<string, number>(), this.now()];
    for (const [sourceId, { until }] of this.organizations.get(orgId) ?? []) limits.set(sourceId, until > now ? 0 : 1);
    return { limits, isResting: [...limits.values()].includes(0) };
  }

  private keep(orgId: string, own: Map<string, Hang>): void {
    this.organizations.delete(orgId);
    if (own.size > 0) this.organizations.set(orgId, own);
    const [first] = this.organizations.keys();
    if (first !== undefined && this.organizations.size > MAX_ORGANIZATIONS) this.organizations.delete(first);
  }
}
