import { type Choice, chooseConnection, eligible } from './choose-connection.js';
import { type FindCandidates, type LookupScope } from './find-candidates.js';

/** How a call selects its connection: by name, or by the strategy of a configured integration. */
export interface ConnectionSelector {
  /** Takes precedence over the strategy. */
  externalId?: string;
  strategy?: string;
  connectionId?: string;
}

/** Returns the selected connection, usable or not; undefined if there is none or nothing selects one. */
export async function pickConnection(
  find: FindCandidates,
  place: LookupScope,
  { externalId, strategy, connectionId }: ConnectionSelector,
): Promise<Choice | undefined> {
  if (externalId) return chooseConnection(await find.named(place, externalId));
  const endUserId = strategy === 'fixed' ? undefined : place.endUserId;
  if (!strategy || (!endUserId && !connectionId)) return undefined;
  const candidates = await find.configured({ ...place, endUserId }, connectionId);
  return chooseConnection(eligible(candidates, { strategy, connectionId }));
}
