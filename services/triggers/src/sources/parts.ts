import { type Egress } from '@drawbridge/egress';
import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Client, type Logger } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Vault } from '../hooks/source-vault.js';
import { type PlanLimits } from '../plan-limits.js';

/** The dependencies of enabling and disabling. */
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
  /** Throws NOT_FOUND for a workspace that is not the caller's, FORBIDDEN for a suspended one. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
  enqueue: Enqueue;
}
