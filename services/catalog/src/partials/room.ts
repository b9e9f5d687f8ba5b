import { requireCount } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type InputPartial, type Prisma } from '../gen/prisma/client.js';

/** Partials of one workspace, because they are listed all at once. */
const MAX_PARTIALS = 500;
/** Limits the values of all partials of a workspace, as JSON text. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Default partials of one scope. A call merges those of its action with those of all actions. */
const MAX_DEFAULTS = 5;

/** Serializes the writes of a workspace until they commit, because its limits are checked for all partials together. */
export function lockPartials(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  return lock(tx, `partials ${workspaceId.toLowerCase()}`);
}

/** Checks the limits after the write, under the lock. Throws VALIDATION_ERROR if the workspace or the scope exceeds them. */
export async function requireRoom(tx: Prisma.TransactionClient, row: InputPartial): Promise<void> {
  const { orgId, workspaceId, workspaceIntegrationId, actionName, triggerName } = row;
  const [held] = await tx.$queryRaw<{ partials: number; bytes: number; defaults: number }[]>`
    SELECT count(*)::int AS partials, sum(octet_length(values::text))::int AS bytes,
      (count(*) FILTER (WHERE is_default AND workspace_integration_id = ${workspaceIntegrationId}::uuid
        AND action_name IS NOT DISTINCT FROM ${actionName}::text
        AND trigger_name IS NOT DISTINCT FROM ${triggerName}::text))::int AS defaults
    FROM catalog.input_partials WHERE org_id = ${orgId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  const { partials, bytes, defaults } = held!;
  const ofWorkspace = { owner: 'a workspace' };
  requireCount(
    { ...ofWorkspace, field: 'workspaceId', what: 'input partials', used: partials, most: MAX_PARTIALS },
    { ...ofWorkspace, field: 'values', what: 'bytes in the values of its partials', used: bytes, most: MAX_BYTES },
    {
      ...{ field: 'isDefault', owner: 'an action or trigger of an integration', what: 'default partials' },
      ...{ used: row.isDefault ? defaults : 0, most: MAX_DEFAULTS },
    },
  );
}
