import { notFound } from '@drawbridge/contracts';
import { caller, requireInScope } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Server } from '../gen/prisma/client.js';

/** Returns a server of the caller's organization, in the scope of this RPC. Throws NOT_FOUND and SCOPE_DENIED. */
export async function findServer(db: Pick<Db, 'server'>, id: string): Promise<Server> {
  const row = await db.server.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('MCP server', id);
  requireInScope(row.workspaceId);
  return row;
}
