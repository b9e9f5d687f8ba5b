import { ApiError, notFound } from '@drawbridge/contracts';
import { newestFirst } from '@drawbridge/database';
import {
  type DisabledTrigger,
  type ListTriggersRequest,
  type TestTriggerRequest,
  type TriggerList,
  type TriggerSample,
  type TriggerServiceDefinition,
} from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type SourceParts } from './create-source.js';
import { endSource } from './disable-source.js';
import { enable, toTriggerSource } from './enable-trigger.js';
import { requireTrigger } from './find-trigger.js';

export const triggerSources = (parts: SourceParts): Implementation<TriggerServiceDefinition> => ({
  listTriggers: (request) => list(parts, request),

  enableTrigger: (request) => enable(parts, request),

  disableTrigger: ({ triggerSourceId }) => disable(parts, triggerSourceId),

  testTrigger: async (request) => sampleOf(request),
});

async function list(
  { db, requireWorkspaceNow }: SourceParts,
  { workspaceId, ...page }: ListTriggersRequest,
): Promise<TriggerList> {
  if (workspaceId !== undefined) await requireWorkspaceNow(workspaceId);
  const table = { rows: db.source, totals: db.total, name: 'sources' };
  const ids = workspaceId === undefined ? workspacesInScope() : [workspaceId];
  const inWorkspaces = ids && { db, table: 'triggers.sources', ids };
  const { rows, total } = await newestFirst(table, { orgId: caller().orgId, inWorkspaces }, page);
  return { triggers: rows.map(toTriggerSource), total };
}

async function disable(
  { db, outbox, requireWorkspaceNow }: SourceParts,
  asked: string | undefined,
): Promise<DisabledTrigger> {
  if (!asked) throw new ApiError('MISSING_ID', 'Send triggerSourceId, the id of the trigger source');
  const row = await db.source.findFirst({ where: { id: asked, orgId: caller().orgId, status: 'enabled' } });
  if (!row) throw notFound('Trigger source', asked);
  const { id, workspaceId, integrationName, triggerName } = row;
  requireInScope(workspaceId);
  await requireWorkspaceNow(workspaceId);
  await db.$transaction(async (tx) => {
    // If two concurrent requests disable the source, the second one fails here.
    if (!(await endSource(tx, outbox, row))) throw notFound('Trigger source', id);
    await outbox.record(tx, { id, name: `${integrationName}.${triggerName}`, workspaceId });
  });
  outbox.wake();
  return { disabled: true, triggerSourceId: id };
}

function sampleOf({ integrationName, triggerName }: TestTriggerRequest): TriggerSample {
  const lacking = [integrationName ? [] : ['integrationName'], triggerName ? [] : ['triggerName']].flat();
  if (!integrationName || !triggerName) throw new ApiError('MISSING_FIELDS', `Send ${lacking.join(' and ')}`);
  return { sampleData: requireTrigger(integrationName, triggerName).sample };
}
