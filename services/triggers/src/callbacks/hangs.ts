import { type End } from './note-ends.js';

/** An attempt that took so long, and came to nothing, has hung. */
const HUNG_MS = 10_000;
/** After the first time; twice as long after each further one in a row. */
const [FIRST_MS, LONGEST_MS] = [15_000, 120_000];
/** Of one that nobody had anything to tell since. */
const FORGOTTEN_MS = 600_000;
/** Remembered; the longest known go first, and are known again when they hang again. */
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
 * Whose receivers hang: each source is left alone for a while, in this process, and then asked by one attempt alone until one ends in time. Those
 * that hang would else keep, by 15 s for each attempt, the places of all others.
 */
export class Hangs {
  private readonly organizations = new Map<string, Map<string, Hang>>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Makes an attempt, and remembers how it went where somebody was asked. */
  async watch(of: Of, attempt: () => Promise<End | undefined>): Promise<End | undefined> {
    const begunAt = this.now();
    const end = await attempt();
    if (end?.isSpent) this.note(of, { tookMs: this.now() - begunAt, hasFailed: end.status !== 'success' });
    return end;
  }

  /** How an attempt ended. Several that hung at once count once. */
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

  /** How many attempts the sources that hung may have under way, and whether any is left alone now. */
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
