import { OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { caller, memoize, type Network } from '@drawbridge/rpc';
import { type Transaction } from './database.js';

/** Another plan holds everywhere within a second, and at once where its event has come. */
const REMEMBER_MS = 900;

/**
 * How many connections the plan of the caller's organization allows; null: no limit. Members is asked outside of any transaction;
 * the second question is for one that holds the quota, and finds what an event said since.
 */
export type FindLimit = () => Promise<(tx: Pick<Transaction, 'planLimit'>) => Promise<number | null>>;

export function connectionLimit(network: Network): FindLimit {
  const members = network.client('members', OrganizationServiceDefinition);
  const ask = memoize({ ttlMs: REMEMBER_MS }, () => members.getLimits({}));
  return async () => {
    const { orgId } = caller();
    const { limits, planVersion } = await ask(orgId);
    return async (tx) => {
      const noted = await tx.planLimit.findUnique({ where: { orgId } });
      return noted && noted.version > planVersion ? noted.allowed : (limits?.connections ?? null);
    };
  };
}
