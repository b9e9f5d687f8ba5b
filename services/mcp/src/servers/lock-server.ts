import { notFound } from '@drawbridge/contracts';
import { caller } from '@drawbridge/rpc';
import { type Prisma, type Server } from '../gen/prisma/client.js';

/** Locks a server, and with it its tools and tokens, until the transaction ends. Throws NOT_FOUND. */
export async function lockServer(tx: Prisma.TransactionClient, id: string): Promise<Server> {
  const where = { id, orgId: caller().orgId };
  await tx.$queryRaw`SELECT FROM mcp.servers WHERE id = ${id}::uuid AND org_id = ${where.orgId}::uuid FOR NO KEY UPDATE`;
  const row = await tx.server.findFirst({ where });
  if (!row) throw notFound('MCP server', id);
  return row;
}

export const ANOTHER_VERSION = { version: { increment: 1 } };
