import { ApiError, type Plans } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { createKey } from './api-keys.js';
import { createOrganization, type NewOrganization } from './create-organization.js';
import { members } from './index.js';
import { readPlans } from './plans.js';

/** What an operator does from the command line, straight on the members database, whether the product runs or not. */
export async function openAdmin(databaseUrl: string, plansFile: string) {
  const database = await members.openDatabase(databaseUrl);
  const db = database.unscoped;
  const plans: Plans = readPlans(plansFile);
  return {
    createOrganization: (wanted: NewOrganization) => createOrganization(db, plans, wanted),

    async listOrganizations() {
      const rows = await db.organization.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
      return { organizations: rows.map((row) => toWire(row)), total: rows.length };
    },

    /** Throws NOT_FOUND unless the user is a member of the organization. */
    async createKey({ userEmail, orgId, name }: { userEmail: string; orgId: string; name: string }) {
      const user = await db.user.findUnique({ where: { email: userEmail.toLowerCase() } });
      const memberships = user ? await db.member.findMany({ where: { userId: user.id } }) : [];
      const member = memberships.find((one) => one.orgId === orgId); // compared here: an id that is no UUID matches none
      if (!member) throw new ApiError('NOT_FOUND', `${userEmail} is not a member of organization ${orgId}`);
      return createKey(db, { orgId, userId: member.userId, name });
    },

    close: () => database.close(),
  };
}
