import { invalid, masked, type Masked, notFound } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { findPiece } from '@drawbridge/pieces';
import {
  type CreatePartialRequest,
  CreatePartialRequestDefaults,
  type InputPartial,
  type InputPartialChanges,
  InputPartialChangesNullable,
  type ListPartialsRequest,
  type PartialServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/input_partials';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { pickInstance, type WorkspaceScope } from '../configured-instances.js';
import { type InputPartial as StoredPartial, type Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';
import { requireNoProblems } from '../problems.js';
import { partialProblems, type RequestedPartial } from './partial-problems.js';
import { readPartial, readPartials, requireWithinLimits } from './partial-rows.js';

export function partials(parts: Parts): Implementation<PartialServiceDefinition> {
  const { db, outbox, instances } = parts;
  return {
    listPartials: (request) => list(parts, request),

    createPartial: (request) => create(parts, request),

    getPartial: ({ id }) => find(db, id),

    updatePartial: ({ id, ...patch }) =>
      update(parts, id, masked(patch, InputPartialChangesNullable, 'VALIDATION_ERROR')),

    async deletePartial({ id }) {
      const { orgId, workspaceId, name } = await find(db, id);
      const deleted = db.$transaction(async (tx) => {
        const { count } = await tx.inputPartial.deleteMany({ where: { id, orgId } });
        if (count === 0) throw notFound('Input partial', id);
        const value = { workspaceId, partialId: id };
        await outbox.add(tx, { $case: 'partialDeleted', value }, orgId);
        await outbox.record(tx, { id, name, workspaceId });
      });
      await deleted.finally(() => instances.forget({ orgId, workspaceId }));
      return { deleted: true, id };
    },

    setDefaultPartial: ({ id, isDefault }) => update(parts, id, { isDefault }),
  };
}

/** Returns a partial of the caller's organization within the caller's scope. Throws NOT_FOUND and SCOPE_DENIED. */
async function find(db: Db, id: string): Promise<InputPartial> {
  const partial = await readPartial(db, caller().orgId, id);
  if (!partial) throw notFound('Input partial', id);
  requireInScope(partial.workspaceId);
  return partial;
}

async function list({ db, requireWorkspaceNow }: Parts, request: ListPartialsRequest) {
  const { workspaceId, workspaceIntegrationId: id } = request;
  const { orgId } = caller();
  await requireWorkspaceNow(workspaceId);
  if (id !== undefined && (await db.workspaceIntegration.count({ where: { id, orgId, workspaceId } })) === 0)
    throw invalid({ workspaceIntegrationId: `this workspace has no integration ${id}` });
  const found = await readPartials(db, orgId, request);
  return { partials: found, total: found.length };
}

async function create(parts: Parts, request: CreatePartialRequest): Promise<InputPartial> {
  const { workspaceId, integrationName, actionName, triggerName, name, description, values = {} } = request;
  const { isDefault = CreatePartialRequestDefaults.isDefault, enforcedKeys = [] } = request;
  await parts.requireWorkspaceNow(workspaceId);
  const wanted = { integrationName, actionName, triggerName, values, enforcedKeys };
  requireNoProblems(partialProblems(findPiece(integrationName), wanted));
  const scope = { orgId: caller().orgId, workspaceId };
  const facts = { integrationName, actionName, triggerName, name, description, values, isDefault };
  return store(parts, scope, async (tx) => {
    await parts.guard.requireNotDeleted(tx, workspaceId);
    const workspaceIntegrationId = await requireInstance(tx, scope, request);
    const data = { ...scope, ...facts, workspaceIntegrationId, enforcedKeys: [...new Set(enforcedKeys)] };
    return tx.inputPartial.create({ data });
  });
}

/** Returns the id of the configured integration, and locks it against deletion until the transaction ends. Throws VALIDATION_ERROR. */
async function requireInstance(
  tx: Prisma.TransactionClient,
  { orgId, workspaceId }: WorkspaceScope,
  selector: CreatePartialRequest,
): Promise<string> {
  const { integrationName } = selector;
  const candidates = await tx.$queryRaw<{ id: string; alias: string }[]>`
    SELECT id, alias FROM catalog.workspace_integrations
    WHERE org_id = ${orgId}::uuid AND workspace_id = ${workspaceId}::uuid AND integration_name = ${integrationName}
    FOR KEY SHARE`;
  const picked = pickInstance(
    candidates.map((instance) => ({ integrationName, instance })),
    selector,
  );
  if (!picked) throw invalid({ integrationName: `${integrationName} is not configured in this workspace` });
  return picked.instance.id;
}

async function update(parts: Parts, id: string, changes: Masked<InputPartialChanges>): Promise<InputPartial> {
  const { orgId, workspaceId } = await find(parts.db, id);
  await parts.requireWorkspaceNow(workspaceId);
  const where = { id, orgId };
  const { values, enforcedKeys } = changes;
  return store(parts, { orgId, workspaceId }, async (tx) => {
    const before = await tx.inputPartial.findFirst({ where });
    if (!before) throw notFound('Input partial', id);
    const wanted = { ...before, ...changes } as RequestedPartial;
    if (values || enforcedKeys) requireNoProblems(partialProblems(findPiece(before.integrationName), wanted));
    const data = { ...changes, ...(enforcedKeys && { enforcedKeys: [...new Set(enforcedKeys)] }) };
    const [row] = await tx.inputPartial.updateManyAndReturn({ where, data });
    if (!row) throw notFound('Input partial', id);
    return row;
  });
}

/**
 * Writes a partial under a lock of the workspace, because the limits count all its partials, and an update is validated together with the unchanged
 * fields.
 */
async function store(
  { db, outbox, instances }: Parts,
  { orgId, workspaceId }: WorkspaceScope,
  write: (tx: Prisma.TransactionClient) => Promise<StoredPartial>,
): Promise<InputPartial> {
  const stored = db.$transaction(async (tx) => {
    await lock(tx, `partials ${workspaceId.toLowerCase()}`);
    const row = await write(tx);
    await requireWithinLimits(tx, row);
    await outbox.record(tx, { id: row.id, name: row.name, workspaceId });
    return (await readPartial(tx, orgId, row.id))!;
  });
  return stored.finally(() => instances.forget({ orgId, workspaceId }));
}
