import { type Prisma } from '../gen/prisma/client.js';

/** Until the transaction ends nobody else adds an integration to the workspace, has one need connections of each person's own, or shares a bearer. */
export async function lockInstances(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`instances ${workspaceId}`.toLowerCase()}, 0))`;
}
