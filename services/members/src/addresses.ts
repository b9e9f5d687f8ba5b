import { isId } from '@drawbridge/contracts';
import { type ListAddressesRequest } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type PrismaClient as Db } from './gen/prisma/client.js';

const MOST = 100;

/** Only verified addresses are returned: an unverified one may belong to another person. */
export async function addressesOf(db: Db, { orgId, placeId, roles, userIds }: ListAddressesRequest): Promise<string[]> {
  const found = await db.$queryRaw<{ email: string }[]>`
    SELECT u.email FROM members.members m JOIN members.users u ON u.id = m.user_id
    WHERE m.org_id = ${orgId}::uuid AND u.email_verified
      AND (m.user_id = ANY (${userIds.filter(isId)}::uuid[]) OR m.role = ANY (${roles}::text[]) AND (m.role <> 'member'
        OR EXISTS (SELECT FROM members.workspace_members w WHERE w.member_id = m.id AND w.workspace_id = ${placeId}::uuid)))
    ORDER BY m.created_at, m.id LIMIT ${MOST}`;
  return found.map(({ email }) => email);
}
