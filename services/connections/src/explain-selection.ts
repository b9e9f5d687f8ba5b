import { refused } from '@drawbridge/contracts';
import {
  type ConnectionExplanation,
  type SelectConnectionRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type FindCandidates, type SeenConnection } from './find-candidates.js';
import { DISTANCE, type ConnectionSelector, obstacleTo, selectConnection } from './select-connection.js';

/** Explains which connection an execution would use, with the rule that selects it, and why each other visible connection is not used. */
export async function explainSelection(
  find: FindCandidates,
  orgId: string,
  request: SelectConnectionRequest,
): Promise<ConnectionExplanation> {
  const { externalId, connectionStrategy: strategy, connectionId } = request;
  let usedId: string | undefined;
  const refusal = await refused(async () => (usedId = (await selectConnection(find, orgId, request))?.id));
  const all = await find.seen({ ...request, orgId }, usedId);
  const selection = { externalId, strategy, connectionId, usedId };
  const used = all.find(({ id }) => id === usedId);
  const lost = all.filter((one) => one !== used);
  return {
    refusal,
    used: used && { ...used, reason: whyUsed(selection) },
    lost: lost.map((one) => ({ ...one, reason: whyLost(one, all, selection) })),
  };
}

/** How a call selects its connection, and the selected connection. */
export interface Selection extends ConnectionSelector {
  usedId?: string;
}

/** Returns why a connection is used: the request names it, the strategy is fixed, the end user owns it, or the end user owns none. */
export function whyUsed({ externalId, strategy, connectionId, usedId }: Selection): string {
  if (externalId !== undefined) return 'named';
  if (strategy === 'fixed') return 'fixed';
  return usedId === connectionId ? 'fallback' : 'own';
}

/**
 * Returns why a visible connection is not used. `all` includes the used connection. `not_named`, `not_configured`, `not_own` and `own_first`: the
 * request or the strategy excludes the connection. `suspended` and `error`: the connection cannot be used. `farther` and `older`: another connection
 * takes precedence.
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
