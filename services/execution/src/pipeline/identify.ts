import { type StateSpace } from '../state/state-space.js';
import { type Pipeline } from './pipeline.js';

/**
 * What a run keeps for an end user who has a record is the record's, not the name's: nobody who comes later under that name finds
 * it, and a run that outlives the record keeps nothing. A name without a record is a place of its own; it goes with the next
 * record of that name. Fails as the vault does.
 */
export async function identify(
  { vault }: Pick<Pipeline, 'vault'>,
  space: StateSpace | undefined,
): Promise<StateSpace | undefined> {
  if (space?.scope !== 'end_user') return space;
  const { workspaceId, owner: externalId } = space;
  const { endUserId } = await vault.identifyEndUser({ workspaceId, externalId });
  return endUserId === undefined ? space : { ...space, scope: 'end_user_record', owner: endUserId };
}
