import { type Choice, chooseConnection, eligible } from './choose-connection.js';
import { type FindCandidates, type LookupScope } from './find-candidates.js';

/** How a call says which connection it means: by name, or by the strategy of the instance that it means. */
export interface ConnectionSelector {
  /** Wins over the strategy. */
  externalId?: string;
  strategy?: string;
  connectionId?: string;
}

/** The connection that a call means, usable or not. Undefined where there is none, or where nothing says which. */
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
