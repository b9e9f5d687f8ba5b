import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type PrismaClient as Db } from '../gen/prisma/client.js';

/** Returns the name, logo and color of an organization for its pages. */
export async function brandOf(db: Pick<Db, 'brand' | 'organization'>, orgId: string): Promise<Brand> {
  const [organization, brand] = await Promise.all([
    db.organization.findUnique({ where: { id: orgId }, select: { name: true } }),
    db.brand.findUnique({ where: { orgId } }),
  ]);
  return { name: organization?.name ?? '', logo: brand?.logo ?? undefined, color: brand?.color ?? undefined };
}
