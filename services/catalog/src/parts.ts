import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import { type ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type Client } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ConfiguredInstances } from './configured-instances.js';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { type AppliedPartials } from './partials/apply-partials.js';

/** The parts of the service that its RPCs share. */
export interface Parts {
  db: Db;
  pool: Pool;
  guard: WorkspaceGuard;
  outbox: Outbox;
  connections: Client<ConnectionServiceDefinition>;
  /** Throws NOT_FOUND for a workspace that does not belong to the caller, and FORBIDDEN for a suspended workspace. */
  requireWorkspace(workspaceId: string): Promise<unknown>;
  /** Throws the errors of `requireWorkspace`, but reads the workspace without a cache. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
  instances: ConfiguredInstances;
  partials: AppliedPartials;
}
