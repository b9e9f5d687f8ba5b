import { randomBytes } from 'node:crypto';
import { newId, requireCount } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type Egress } from '@drawbridge/egress';
import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import { type Enqueue, newWebhookSecret } from '@drawbridge/jobs';
import { type JsonObject, type Trigger, type TriggerKind } from '@drawbridge/piece-kit';
import { type Invocation, type InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { caller, type Client, type Logger } from '@drawbridge/rpc';
import { type Prisma, type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { type SourceSecrets, type Vault } from '../secrets/source-secrets.js';
import { type PlanLimits } from '../plan-limits.js';
import { TRIGGER_TYPES } from './find-trigger.js';
import { findShared, type Joined, sharesWebhook } from './shared-webhooks.js';

/** Maximum number of triggers of a workspace, because lists count all of them. The limit is high because each end user may have some. */
const MAX_SOURCES = 5_000;
/** Length of the random part of a webhook address, which makes the address unguessable. */
const HOOK_ID_BYTES = 24;

/** A validated request to enable a trigger. */
export interface Wanted {
  trigger: Trigger;
  request: EnableTriggerRequest;
  invocation: Invocation;
  /** The connection of the trigger. Undefined if there is none. */
  connectionId: string | undefined;
  /** Null if the trigger is not polled. */
  pollingMinutes: number | null;
}

/** A source in the status `enabling`, which is not listed until it is registered at the provider. */
export interface Begun {
  source: Source;
  secrets: SourceSecrets;
  /** The existing webhook of the connection that the source shares. Undefined if the source needs a new webhook. */
  joined: Joined | undefined;
}

/** Creates a source in the status `enabling`, which is not listed, and its secrets. */
export async function begin({ db, guard }: Pick<SourceParts, 'db' | 'guard'>, wanted: Wanted): Promise<Begun> {
  const { source, joined } = await db.$transaction(async (tx) => {
    const data = toRow(wanted);
    await guard.requireNotDeleted(tx, data.workspaceId);
    await requireBelowLimit(tx, data.workspaceId);
    const isSharing = sharesWebhook(wanted.trigger) && !data.simulate;
    const joined = isSharing ? await findShared(tx, data) : undefined;
    const { hookId, webhookUrl } = joined?.address ?? data;
    return { source: await tx.source.create({ data: { ...data, hookId, webhookUrl } }), joined };
  });
  const secrets = {
    callbackHeaders: (wanted.request.callbackHeaders ?? {}) as Record<string, string>,
    signingSecret: newWebhookSecret(),
    hookSecret: randomBytes(32).toString('hex'),
  };
  return { source, secrets, joined };
}

/**
 * Locks the triggers of a workspace, so that concurrent requests cannot exceed the limit. Throws VALIDATION_ERROR if the workspace is at its limit.
 */
async function requireBelowLimit(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  await lock(tx, `trigger sources ${workspaceId}`);
  const used = 1 + (await tx.source.count({ where: { orgId: caller().orgId, workspaceId, endedAt: null } }));
  requireCount({ field: 'workspaceId', owner: 'a workspace', what: 'triggers', used, most: MAX_SOURCES });
}

function toRow(wanted: Wanted): Prisma.SourceUncheckedCreateInput {
  const { request, trigger, invocation, connectionId, pollingMinutes } = wanted;
  const { orgId, userId, keyId } = caller();
  const { workspaceId, integrationName, triggerName, callbackUrl, simulate = false } = request;
  const { id: workspaceIntegrationId, alias: integrationAlias, connectionStrategy } = invocation.instance ?? {};
  const of = { orgId, workspaceId: workspaceId.toLowerCase(), userId, keyId };
  return {
    ...{ id: newId(), ...of, integrationName, triggerName, triggerType: TRIGGER_TYPES[trigger.kind] },
    ...{ workspaceIntegrationId, integrationAlias, connectionStrategy, connectionId },
    ...{ connectionExternalId: request.connectionExternalId, endUserId: request.endUserId },
    input: toJson(invocation.input ?? {}),
    callbackUrl: callbackUrl ?? null,
    callbackMetadata: request.callbackMetadata && toJson(request.callbackMetadata),
    ...{ simulate, pollingMinutes, ...addressOf(request, trigger.kind) },
  };
}

/** Returns the webhook address that the provider calls. An app has one address for all sources. */
function addressOf({ baseUrl, integrationName, simulate }: EnableTriggerRequest, kind: TriggerKind) {
  const hooks = `${baseUrl}/api/v1/webhooks/${integrationName}`;
  if (simulate || kind === 'polling') return {};
  if (kind === 'app-webhook') return { webhookUrl: `${hooks}/app` };
  const hookId = randomBytes(HOOK_ID_BYTES).toString('base64url');
  return { hookId, webhookUrl: `${hooks}/${hookId}` };
}

function toJson(value: object): Prisma.InputJsonValue {
  return value as JsonObject as Prisma.InputJsonObject;
}

/** The dependencies of enabling and disabling a trigger. */
export interface SourceParts {
  db: Db;
  guard: WorkspaceGuard;
  outbox: Outbox;
  log: Logger;
  egress: Pick<Egress, 'requireReachable' | 'isListed'>;
  invocations: Pick<Client<InvocationServiceDefinition>, 'resolveTrigger'>;
  hooks: Client<TriggerHookServiceDefinition>;
  vault: Vault;
  findMinimum: PlanLimits['findMinimum'];
  /** Throws NOT_FOUND for a workspace that does not belong to the caller, and FORBIDDEN for a suspended workspace. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
  enqueue: Enqueue;
}
