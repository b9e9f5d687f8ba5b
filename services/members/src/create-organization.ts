import { randomBytes } from 'node:crypto';
import { ApiError, invalid, type Plans } from '@drawbridge/contracts';
import { type Database, toWire } from '@drawbridge/database';
import { toEmail } from '@drawbridge/mail';
import { createKey } from './api-keys.js';
import { recordOperator } from './audit/record-operator.js';
import { type PrismaClient as Db, type Organization, type User } from './gen/prisma/client.js';
import { hashPassword } from './hash-password.js';
import { createUser, proveEmail, setPassword } from './users.js';

export interface NewOrganization {
  name: string;
  ownerEmail: string;
  ownerPassword?: string;
  plan: string;
  /** The first API key. It is generated if absent. */
  plainKey?: string;
}

/**
 * Creates an organization with its owner and an API key that may do everything, including deciding approvals. Reuses an existing account with the
 * owner's email address. Throws VALIDATION_ERROR for an unknown plan, and DUPLICATE for an account that cannot be reused.
 */
export async function createOrganization(db: Db, plans: Plans, wanted: NewOrganization) {
  if (!plans[wanted.plan]) throw invalid({ plan: `must be one of ${Object.keys(plans).join(', ')}` });
  const { name, plan, ownerPassword } = wanted;
  const passwordHash = ownerPassword ? await hashPassword(ownerPassword) : null; // Slow, so it runs before the transaction.
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
  if (passwordHash) throw new ApiError('DUPLICATE', `User ${email} already exists. Omit the password`);
  return known;
}

/**
 * Gives an account with an unverified email address to the owner. Replaces its password, because a person other than the owner may have created the
 * account.
 */
async function takeOver(tx: Transaction, user: User, passwordHash: string | null): Promise<User> {
  if (!passwordHash) {
    throw new ApiError(
      'DUPLICATE',
      `User ${user.email} already exists with an unverified address. Ask the user to sign in with an emailed ` +
        'link or a provider first, or set a password, which takes over the account',
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

const BOOTSTRAP_LOCK = 4_077_251_002;
/** The gateway rejects longer keys without a look-up. Not checked at later starts, which ignore the variable. */
const MAX_KEY_CHARACTERS = 204;

type Opened = Pick<Database<Db>, 'unscoped' | 'pool'>;

/** The email address of the first organization's owner. */
export const FIRST_OWNER = 'owner@localhost';

/**
 * Creates the first organization if none exists: plan enterprise, owner owner@localhost without a password, and the API key that the operator
 * configured. A lock ensures that concurrent replicas create only one organization.
 */
export async function bootstrap({ unscoped, pool }: Opened, plans: Plans, plainKey: string): Promise<void> {
  if (await unscoped.organization.findFirst({ select: { id: true } })) return;
  if (plainKey === '' || plainKey.length > MAX_KEY_CHARACTERS) {
    const got = plainKey === '' ? '' : ` (got ${plainKey.length} characters)`;
    throw new Error(
      `BOOTSTRAP_API_KEY is required at the first start. It must be svc_ and 20 to 200 letters and digits${got}`,
    );
  }
  const connection = await pool.connect();
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [BOOTSTRAP_LOCK]);
    if (await unscoped.organization.findFirst({ select: { id: true } })) return;
    const plan = plans['enterprise'] ? 'enterprise' : Object.keys(plans)[0]!;
    await createOrganization(unscoped, plans, { name: 'Default', ownerEmail: FIRST_OWNER, plan, plainKey });
  } finally {
    await connection.query('SELECT pg_advisory_unlock($1)', [BOOTSTRAP_LOCK]);
    connection.release();
  }
}

/**
 * Returns the hash of the first API key of the first organization. Every other key must contain a checksum. The operator may have chosen this key
 * without one.
 */
export async function findFirstKeyHash(unscoped: Db): Promise<string | undefined> {
  const first = await unscoped.organization.findFirst({ orderBy: { id: 'asc' }, select: { id: true } });
  if (!first) return undefined;
  const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const key = await unscoped.apiKey.findFirst({
    where: { orgId: first.id },
    orderBy: oldestFirst,
    select: { keyHash: true },
  });
  return key?.keyHash;
}
