import { type StateSpace } from '../state/state-space.js';
import { type Pipeline } from './pipeline.js';

/**
 * Keys the state of an end user by the record id where a record exists. A later end user with the same externalId cannot read it, and
 * a run that outlives the record stores nothing. State of an externalId without a record is separate, and ends when a record of that
 * externalId is deleted. Fails as the vault does.
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
