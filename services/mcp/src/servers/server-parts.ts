import { type Outbox, type WorkspaceGuard } from '@drawbridge/events';
import { type FindLimit } from '@drawbridge/service';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type FindEndUser } from '../tokens/find-end-user.js';
import { type Sharing } from './sharing.js';

/** The dependencies of the server RPCs. */
export interface ServerParts {
  db: Db;
  guard: WorkspaceGuard;
  outbox: Outbox;
  sharing: Sharing;
  findEndUser: FindEndUser;
  /** The number of servers that the plan allows. */
  findLimit: FindLimit;
  /** Throws NOT_FOUND for a workspace that is not the caller's, FORBIDDEN for a suspended one. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
}
