import { toWire } from '@drawbridge/database';
import { type Member } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Member as Row, type Prisma } from './gen/prisma/client.js';

type Db = Pick<Prisma.TransactionClient, 'user'>;

/** Returns members with their users' names and emails. Every member has a user. */
export async function toMembers(db: Db, rows: Row[]): Promise<Member[]> {
  const users = await db.user.findMany({ where: { id: { in: rows.map(({ userId }) => userId) } } });
  const known = new Map(users.map((user) => [user.id, user]));
  return rows.map((row) => {
    const { name: userName = '', email: userEmail = '', image } = known.get(row.userId) ?? {};
    return { ...toWire(row), organizationId: row.orgId, userName, userEmail, userImage: image ?? undefined };
  });
}

export async function toMember(db: Db, row: Row): Promise<Member> {
  const [member] = await toMembers(db, [row]);
  return member!;
}
