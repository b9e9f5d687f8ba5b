import { type Candidate, DISTANCE, type InstanceStrategy, obstacleTo } from './choose-connection.js';

/** A connection that a call could see, looked at or not. */
export interface SeenConnection extends Candidate {
  externalId: string;
}

/** What a call goes by, and the connection that it leads to. */
export interface Selection extends Partial<InstanceStrategy> {
  /** Wins over the strategy. */
  externalId?: string;
  usedId?: string;
}

/** Why a connection is used: it was named, the strategy is fixed, it is the end user's own, or these have none. */
export function whyUsed({ externalId, strategy, connectionId, usedId }: Selection): string {
  if (externalId !== undefined) return 'named';
  if (strategy === 'fixed') return 'fixed';
  return usedId === connectionId ? 'fallback' : 'own';
}

/**
 * Why one of those that a call could see is not used. `all`: with the one that is. What the call does not go by: `not_named`,
 * `not_configured`, `not_own`, `own_first`; what can't be used: `suspended`, `error`; what another one stands before: `farther`, `older`.
 */
export function whyLost(one: SeenConnection, all: readonly SeenConnection[], selection: Selection): string {
  const excluded = whyExcluded(one, all, selection) ?? obstacleTo(one);
  if (excluded) return excluded;
  const used = all.find(({ id }) => id === selection.usedId);
  return used && DISTANCE[used.scope] < DISTANCE[one.scope] ? 'farther' : 'older';
}

function whyExcluded(
  { id, scope, externalId }: SeenConnection,
  all: readonly SeenConnection[],
  { externalId: named, strategy, connectionId }: Selection,
): string | undefined {
  if (named !== undefined) return externalId === named ? undefined : 'not_named';
  if (strategy === undefined) return 'not_named';
  const isOwn = scope === 'USER';
  if (strategy === 'per_user') return isOwn ? undefined : 'not_own';
  if (strategy === 'per_user_with_fallback' && isOwn) return undefined;
  if (isOwn || id !== connectionId) return 'not_configured';
  return strategy === 'per_user_with_fallback' && all.some((other) => other.scope === 'USER') ? 'own_first' : undefined;
}
