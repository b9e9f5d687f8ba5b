import { invalid } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type InputPartial, type Prisma } from '../gen/prisma/client.js';

/** In a workspace: they are listed all at once. */
const MAX_PARTIALS = 500;
/** Of the values of a workspace, as JSON text. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Of one scope. A call merges those of its action and those of all actions. */
const MAX_DEFAULTS = 5;

/** What a workspace has is counted and judged in values together: writes go one by one until they commit. */
export function lockPartials(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  return lock(tx, `partials ${workspaceId.toLowerCase()}`);
}

/** After the write, under the lock. Throws VALIDATION_ERROR where its workspace or its scope now holds more than it may. */
export async function requireRoom(tx: Prisma.TransactionClient, row: InputPartial): Promise<void> {
  const { orgId, workspaceId, workspaceIntegrationId, actionName, triggerName } = row;
  const [held] = await tx.$queryRaw<{ partials: number; bytes: number; defaults: number }[]>`
    SELECT count(*)::int AS partials, sum(octet_length(values::text))::int AS bytes,
      (count(*) FILTER (WHERE is_default AND workspace_integration_id = ${workspaceIntegrationId}::uuid
        AND action_name IS NOT DISTINCT FROM ${actionName}::text
        AND trigger_name IS NOT DISTINCT FROM ${triggerName}::text))::int AS defaults
    FROM catalog.input_partials WHERE org_id = ${orgId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  const { partials, bytes, defaults } = held!;
  if (partials > MAX_PARTIALS)
    throw invalid({ workspaceId: `has ${MAX_PARTIALS} input partials already, the most that a workspace may have` });
  if (bytes > MAX_BYTES) throw invalid({ values: `of all partials of a workspace hold at most ${MAX_BYTES} bytes` });
  if (row.isDefault && defaults > MAX_DEFAULTS)
    throw invalid({ isDefault: `its integration, action and trigger have ${MAX_DEFAULTS} default partials already` });
}
