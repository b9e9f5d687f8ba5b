import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type LiveSession } from './live-session.js';

/** The session acts in that organization from now on, and so will the next one of its user's. */
export async function actIn(db: Db, { id, userId }: Pick<LiveSession, 'id' | 'userId'>, orgId: string): Promise<void> {
  await db.$transaction([
    db.user.updateMany({ where: { id: userId }, data: { lastOrgId: orgId } }),
    db.session.updateMany({ where: { id }, data: { activeOrgId: orgId } }),
  ]);
}
