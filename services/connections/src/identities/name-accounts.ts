import {
  type AccountNames,
  type AccountUse,
  type NameAccountsRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Db } from '../database.js';
import { type FindCandidates } from '../find-candidates.js';
import { pickConnection } from '../pick-connection.js';

/** Limits the statements, one for each use; a workspace has fewer integrations. */
const MAX_USES = 200;

/** Returns the display name of the connection that each use would select, for the consent page of a program. */
export async function nameAccounts(
  { db, find }: { db: Db; find: FindCandidates },
  { orgId, placeId: workspaceId, endUserId, uses }: NameAccountsRequest,
): Promise<AccountNames> {
  const pick = async ({ integrationName, connectionStrategy: strategy, connectionId }: AccountUse) => {
    const place = { orgId, workspaceId, integrationName, endUserId };
    const configuredId = strategy === 'per_user' ? undefined : connectionId;
    return pickConnection(find, place, { strategy, connectionId: configuredId });
  };
  const ids: (string | undefined)[] = [];
  for (const use of uses.slice(0, MAX_USES)) ids.push((await pick(use))?.id);
  const known = ids.filter((id) => id !== undefined);
  const rows = await db.connection.findMany({
    where: { orgId, id: { in: known } },
    select: { id: true, displayName: true },
  });
  const names = new Map(rows.map(({ id, displayName }) => [id, displayName]));
  return { accounts: uses.map((_, at) => ({ name: names.get(ids[at] ?? '') })) };
}
