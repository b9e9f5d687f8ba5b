import { ApiError, invalid, type Plans } from '@drawbridge/contracts';
import { outbox } from '@drawbridge/events';
import { toEmail } from '@drawbridge/mail';
import { createKey, permissionsOfNew, toApiKey } from './api-keys.js';
import { recordOperator } from './audit/record-operator.js';
import { toNotedHead, verifyChains } from './audit/verify.js';
import { createOrganization, type NewOrganization, toOrganization } from './create-organization.js';
import { type PrismaClient as Db, type Prisma, type User } from './gen/prisma/client.js';
import { hashPassword } from './hash-password.js';
import { members } from './index.js';
import { readPlans, setPlan } from './plans.js';
import { LINK_MINUTES, storeLink } from './sign-in/links.js';
import { createUser, setPassword } from './users.js';

export { FIRST_OWNER } from './create-organization.js';
export { nameProblem, passwordProblem } from './users.js';
export { isEmail } from '@drawbridge/mail';

/** Opens the members database for the commands of the operator, which also work while the product is not running. */
export async function openAdmin(databaseUrl: string, plansFile: string) {
  const database = await members.openDatabase(databaseUrl);
  const db = database.unscoped;
  const plans: Plans = readPlans(plansFile);
  return {
    createOrganization: (wanted: NewOrganization) => createOrganization(db, plans, wanted),

    /** Changes the plan of an organization. Throws VALIDATION_ERROR for an unknown plan, and NOT_FOUND. */
    async setPlan(wanted: { orgId: string; plan: string }) {
      const row = await setPlan({ db, plans, outbox: outbox('members', { wake() {} }) }, wanted);
      return { organization: toOrganization(row) };
    },

    async listOrganizations() {
      const rows = await db.organization.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
      return { organizations: rows.map(toOrganization), total: rows.length };
    },

    /**
     * Creates a user who can sign in and does not belong to an organization yet. If the user exists without a password, like the first owner, sets
     * the password. Throws DUPLICATE if the user already has a password.
     */
    createUser: (wanted: NewPerson) => createPerson(db, wanted),

    /** Returns the path of a page that signs a user in. The link works once, and expires after some minutes. Throws NOT_FOUND. */
    createSignInLink: (wanted: WantedLink) => createSignInLink(db, wanted),

    /** Creates an API key for a user. Throws NOT_FOUND unless the user is a member of the organization. */
    async createKey({ userEmail, orgId, name }: { userEmail: string; orgId: string; name: string }) {
      const user = await db.user.findUnique({ where: { email: toEmail(userEmail) } });
      const memberships = user ? await db.member.findMany({ where: { userId: user.id } }) : [];
      const member = memberships.find((one) => one.orgId === orgId); // Compared here, because the database would reject an orgId that is not a UUID.
      if (!member) throw new ApiError('NOT_FOUND', `${userEmail} is not a member of organization ${orgId}`);
      return db.$transaction(async (tx) => {
        const { row, plainKey } = await createKey(tx, { orgId, userId: member.userId, name });
        const reason = `${permissionsOfNew(row)}, for ${userEmail.toLowerCase()}`;
        await recordOperator(tx, { orgId, action: 'api_key.create', id: row.id, name, reason });
        return { apiKey: toApiKey(row), plainKey };
      });
    },

    /**
     * Verifies the audit log. `head` is the last entry of the organization and its hash, which the operator noted earlier. Throws VALIDATION_ERROR
     * for a head without an organization.
     */
    async verifyAuditLog(orgId?: string, head?: string) {
      if (head !== undefined && orgId === undefined) throw invalid({ '--org': 'is required with --head' });
      const organizations = await verifyChains(database.pool, orgId, toNotedHead(head));
      return { verified: organizations.every(({ problems }) => problems.length === 0), organizations };
    },

    close: () => database.close(),
  };
}

interface NewPerson {
  email: string;
  password: string;
  name?: string;
}

async function createPerson(db: Db, { email: given, password, name }: NewPerson) {
  const email = toEmail(given);
  const passwordHash = await hashPassword(password);
  return db.$transaction(async (tx) => {
    const known = await tx.user.findUnique({ where: { email } });
    const user = known ?? (await createUser(tx, { email, name, passwordHash }));
    if (known) await givePassword(tx, known, passwordHash);
    return { user: { id: user.id, email: user.email, name: user.name } };
  });
}

async function givePassword(tx: Prisma.TransactionClient, { id, email }: User, passwordHash: string): Promise<void> {
  const known = await tx.account.findFirst({ where: { userId: id, providerId: 'credential' } });
  if (known) throw new ApiError('DUPLICATE', `User ${email} already exists and has a password`);
  await setPassword(tx, id, passwordHash);
}

interface WantedLink {
  email: string;
  /** Time in minutes for which the link is valid. Default: 15. */
  minutes?: number;
}

async function createSignInLink(db: Db, { email: given, minutes = LINK_MINUTES }: WantedLink) {
  const email = toEmail(given);
  const user = await db.user.findUnique({ where: { email } });
  if (!user) throw new ApiError('NOT_FOUND', `No user has the email ${email}. To create one: admin user create`);
  return { email, path: `/sign-in/link?token=${await storeLink(db, user.id, minutes)}`, minutes };
}
