import { masked } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import {
  type Organization,
  OrganizationChangesNullable,
  type UpdateOrganizationRequest,
} from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { caller } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { lockOrganization } from '../lock-organization.js';
import { requireLogo } from './require-logo.js';

/** Throws NO_UPDATES, and VALIDATION_ERROR for an invalid logo. */
export async function updateOrganization(
  { db, outbox }: { db: Db; outbox: Outbox },
  patch: UpdateOrganizationRequest,
): Promise<Organization> {
  const { name, ...look } = masked(patch, OrganizationChangesNullable);
  if (look.logo) requireLogo(look.logo);
  const brand = look.color ? { ...look, color: look.color.toLowerCase() } : look;
  const { orgId } = caller();
  return db.$transaction(async (tx) => {
    await lockOrganization(tx, orgId);
    const row = await tx.organization.update({ where: { id: orgId }, data: { name, updatedAt: new Date() } });
    const shown = await tx.brand.upsert({ where: { orgId }, create: { orgId, ...brand }, update: brand });
    await outbox.record(tx, { id: orgId, name: row.name });
    return { ...toWire(row), logo: shown.logo ?? undefined, color: shown.color ?? undefined };
  });
}
