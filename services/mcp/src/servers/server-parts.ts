import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import { type PrismaClient as Db } from '../gen/prisma/client.js';

/** What keeping servers works with. */
export interface ServerParts {
  db: Db;
  guard: WorkspaceGuard;
  outbox: Outbox;
  /** Throws NOT_FOUND for a workspace that is not the caller's, FORBIDDEN for a suspended one. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
}
