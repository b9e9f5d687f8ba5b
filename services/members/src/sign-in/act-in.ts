import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type LiveSession } from './live-session.js';

/** Switches the session to that organization; later sessions of the user start there, too. */
export async function actIn(db: Db, { id, userId }: Pick<LiveSession, 'id' | 'userId'>, orgId: string): Promise<void> {
  await db.$transaction([
    db.user.updateMany({ where: { id: userId }, data: { lastOrgId: orgId } }),
    db.session.updateMany({ where: { id }, data: { activeOrgId: orgId } }),
  ]);
}
