import { randomBytes } from 'node:crypto';
import { ApiError, invalid, type Plans } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { toEmail } from '@drawbridge/mail';
import { createKey } from './api-keys.js';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { type Organization, type User } from './gen/prisma/client.js';
import { recordOperator } from './audit/record-operator.js';
import { createUser, setPassword } from './create-user.js';
import { hashPassword } from './hash-password.js';
import { proveEmail } from './sign-in/prove-email.js';

export interface NewOrganization {
  name: string;
  ownerEmail: string;
  ownerPassword?: string;
  plan: string;
  /** The first key; generated if absent. */
  plainKey?: string;
}

/**
 * Creates an organization with its owner and a key that may do everything, including approvals. Reuses an existing account with the owner's email.
 * Throws VALIDATION_ERROR for an unknown plan, and DUPLICATE for an account that cannot be reused.
 */
export async function createOrganization(db: Db, plans: Plans, wanted: NewOrganization) {
  if (!plans[wanted.plan]) throw invalid({ plan: `must be one of ${Object.keys(plans).join(', ')}` });
  const { name, plan, ownerPassword } = wanted;
  const passwordHash = ownerPassword ? await hashPassword(ownerPassword) : null; // outside of the transaction: it is slow
  return db.$transaction(async (tx) => {
    const organization = await tx.organization.create({ data: { name, plan, slug: await freeSlug(tx, name) } });
    const owner = await findOrCreateUser(tx, toEmail(wanted.ownerEmail), passwordHash);
    await tx.member.create({ data: { orgId: organization.id, userId: owner.id, role: 'owner' } });
    const { plainKey } = await createKey(tx, {
      orgId: organization.id,
      userId: owner.id,
      name: 'First key',
      permissions: { scope: 'org', approvals: { decide: true } },
      plainKey: wanted.plainKey,
    });
    await recordOperator(tx, { orgId: organization.id, action: 'organization.create', id: organization.id, name });
    return { organization: toOrganization(organization), owner: toOwner(owner), plainKey };
  });
}

type Transaction = Parameters<Parameters<Db['$transaction']>[0]>[0];

async function findOrCreateUser(tx: Transaction, email: string, passwordHash: string | null): Promise<User> {
  const known = await tx.user.findUnique({ where: { email } });
  if (!known) return createUser(tx, { email, passwordHash });
  if (!known.emailVerified) return takeOver(tx, known, passwordHash);
  if (passwordHash) throw new ApiError('DUPLICATE', `User ${email} exists already: leave the password out`);
  return known;
}

/** Takes over an account with an unverified address: its password may have been chosen by another person than the operator means. */
async function takeOver(tx: Transaction, user: User, passwordHash: string | null): Promise<User> {
  if (!passwordHash) {
    throw new ApiError(
      'DUPLICATE',
      `User ${user.email} exists already, and nobody has proven that the address is theirs: have them sign in by an emailed ` +
        'link or a provider first, or give a password, which takes the account from whoever has it',
    );
  }
  await proveEmail(tx, user.id);
  await tx.apiKey.updateMany({ where: { userId: user.id, revokedAt: null }, data: { revokedAt: new Date() } });
  await setPassword(tx, user.id, passwordHash);
  return user;
}

async function freeSlug(tx: Transaction, name: string): Promise<string> {
  const base =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 40) || 'organization';
  const taken = await tx.organization.findUnique({ where: { slug: base } });
  return taken ? `${base}-${randomBytes(4).toString('hex')}` : base;
}

export function toOrganization({ planVersion: _, ...row }: Organization) {
  return toWire(row);
}

const toOwner = ({ id, email, name }: User): { id: string; email: string; name: string } => ({ id, email, name });
