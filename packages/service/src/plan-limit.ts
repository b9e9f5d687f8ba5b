/** The plan's limit of a resource; null: no limit. */
export interface Allowed {
  allowed: number | null;
  /** Grows with every change of the plan. */
  version: number;
}

/** A transaction on a schema with `plan_limits`, which `planFit` maintains. */
interface NotedLimits {
  planLimit: { findUnique(args: object): PromiseLike<Allowed | null> };
}

/**
 * Returns a function that returns the limit; null: no limit. Call that function in the transaction that holds the quota lock: it also sees limits
 * that an event has stored since.
 */
export type FindLimit = (orgId: string) => Promise<(tx: NotedLimits) => Promise<number | null>>;

/** `ask` calls members, outside of any transaction. */
export function planLimit(ask: (orgId: string) => Promise<Allowed>): FindLimit {
  return async (orgId) => {
    const known = await ask(orgId);
    return async (tx) => {
      const noted = await tx.planLimit.findUnique({ where: { orgId } });
      return noted && noted.version > known.version ? noted.allowed : known.allowed;
    };
  };
}
