import { toWire } from '@drawbridge/database';
import { type InputPartial } from '@drawbridge/proto/drawbridge/catalog/v1/input_partials';

/** The columns of the message. Values stay text, because a list needs no parsing. */
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

/** Prisma, or its transaction. */
interface Reader {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T>;
}

export interface PartialFilter {
  integrationName?: string;
  workspaceIntegrationId?: string;
  integrationAlias?: string;
  actionName?: string;
  triggerName?: string;
}

export async function readPartial(db: Reader, orgId: string, id: string): Promise<InputPartial | undefined> {
  const [row] = await db.$queryRawUnsafe<Row[]>(ONE, orgId, id);
  return row && toWire(row);
}

/** Returns all partials that match the filter, newest first. */
export async function readPartials(
  db: Reader,
  { orgId, workspaceId }: { orgId: string; workspaceId: string },
  { integrationName, workspaceIntegrationId, integrationAlias, actionName, triggerName }: PartialFilter,
): Promise<InputPartial[]> {
  const filter = [integrationName, workspaceIntegrationId, integrationAlias, actionName, triggerName];
  const values = [orgId, workspaceId, ...filter.map((one) => one ?? null)];
  return (await db.$queryRawUnsafe<Row[]>(OF_WORKSPACE, ...values)).map(toWire);
}
