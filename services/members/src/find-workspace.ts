import { notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Workspace } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Workspace as Row } from './gen/prisma/client.js';

/** Returns a workspace of the caller's organization, suspended or not. Throws NOT_FOUND. */
export async function findWorkspace(db: Pick<Db, 'workspace'>, id: string): Promise<Row> {
  const row = await db.workspace.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Workspace', id);
  return row;
}

export const toWorkspace = (row: Row): Workspace => toWire(row);
