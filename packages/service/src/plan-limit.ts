/** What the plan of an organization allows of something; null: no limit. */
export interface Allowed {
  allowed: number | null;
  /** Grows with every change of the plan. */
  version: number;
}

/** A transaction on a schema with `plan_limits`, which `planFit` keeps. */
interface NotedLimits {
  planLimit: { findUnique(args: object): PromiseLike<Allowed | null> };
}

/**
 * How many there may be; null: no limit. The second question is for a transaction that holds the quota, and finds what an event said since.
 */
export type FindLimit = (orgId: string) => Promise<(tx: NotedLimits) => Promise<number | null>>;

/** `ask`: members, outside of any transaction. */
export function planLimit(ask: (orgId: string) => Promise<Allowed>): FindLimit {
  return async (orgId) => {
    const known = await ask(orgId);
    return async (tx) => {
      const noted = await tx.planLimit.findUnique({ where: { orgId } });
      return noted && noted.version > known.version ? noted.allowed : known.allowed;
    };
  };
}
