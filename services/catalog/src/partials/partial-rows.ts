import { requireCount } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type InputPartial, type ListPartialsRequest } from '@drawbridge/proto/drawbridge/catalog/v1/input_partials';
import { type InputPartial as StoredPartial, type Prisma } from '../gen/prisma/client.js';

/**
 * Selects the fields of the InputPartial message. Reads `values` as JSON text, because parsing would be wasted work: a list returns the text
 * unchanged.
 */
const SELECT = `
  SELECT p.id, p.org_id AS "orgId", p.workspace_id AS "workspaceId", p.integration_name AS "integrationName",
    p.workspace_integration_id AS "workspaceIntegrationId", i.alias AS "integrationAlias", p.action_name AS "actionName",
    p.trigger_name AS "triggerName", p.name, p.description, p.values::text AS "valuesJson", p.enforced_keys AS "enforcedKeys",
    p.is_default AS "isDefault", p.created_at AS "createdAt", p.updated_at AS "updatedAt"
  FROM catalog.input_partials p JOIN catalog.workspace_integrations i ON i.id = p.workspace_integration_id`;

const ONE = `${SELECT} WHERE p.org_id = $1::uuid AND p.id = $2::uuid`;

const OF_WORKSPACE = `${SELECT}
  WHERE p.org_id = $1::uuid AND p.workspace_id = $2::uuid AND ($3::text IS NULL OR p.integration_name = $3)
    AND ($4::uuid IS NULL OR i.id = $4) AND ($5::text IS NULL OR i.alias = $5)
    AND ($6::text IS NULL OR p.action_name = $6) AND ($7::text IS NULL OR p.trigger_name = $7)
  ORDER BY p.created_at DESC, p.id DESC`;

/** A row of `SELECT`. */
type Row = Omit<InputPartial, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date };

/** A Prisma client or its transaction. */
interface Reader {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T>;
}

export async function readPartial(db: Reader, orgId: string, id: string): Promise<InputPartial | undefined> {
  const [row] = await db.$queryRawUnsafe<Row[]>(ONE, orgId, id);
  return row && toWire(row);
}

/** Returns all partials that match the filter, newest first. */
export async function readPartials(db: Reader, orgId: string, asked: ListPartialsRequest): Promise<InputPartial[]> {
  const { integrationName, workspaceIntegrationId, integrationAlias, actionName, triggerName } = asked;
  const filter = [integrationName, workspaceIntegrationId, integrationAlias, actionName, triggerName];
  const values = [orgId, asked.workspaceId, ...filter.map((one) => one ?? null)];
  return (await db.$queryRawUnsafe<Row[]>(OF_WORKSPACE, ...values)).map(toWire);
}

/** Maximum number of partials of one workspace, because they are listed without pages. */
const MAX_PARTIALS = 500;
/** Maximum size of the values of all partials of a workspace, as JSON. */
const MAX_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of default partials of one action, one trigger, or all operations of a configured integration. A call merges the defaults of its
 * action with the defaults of all operations.
 */
const MAX_DEFAULTS = 5;

/**
 * Checks the limits after the write, in the transaction that locks the partials of the workspace. Throws VALIDATION_ERROR if the workspace or the
 * operation has too many partials.
 */
export async function requireWithinLimits(tx: Prisma.TransactionClient, row: StoredPartial): Promise<void> {
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
