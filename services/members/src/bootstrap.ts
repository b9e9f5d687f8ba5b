import { type Plans } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { createOrganization } from './create-organization.js';
import { type PrismaClient as Db } from './gen/prisma/client.js';

const BOOTSTRAP_LOCK = 4_077_251_002;

type Opened = Pick<Database<Db>, 'unscoped' | 'pool'>;

/**
 * Creates the first organization if there is none: plan enterprise, owner owner@localhost without a password, and the operator's key. A lock makes
 * concurrent replicas create only one.
 */
export async function bootstrap({ unscoped, pool }: Opened, plans: Plans, plainKey: string): Promise<void> {
  if (await unscoped.organization.findFirst({ select: { id: true } })) return;
  if (plainKey === '')
    throw new Error('BOOTSTRAP_API_KEY: required at the first start; svc_ and at least 20 characters');
  const connection = await pool.connect();
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [BOOTSTRAP_LOCK]);
    if (await unscoped.organization.findFirst({ select: { id: true } })) return;
    const plan = plans['enterprise'] ? 'enterprise' : Object.keys(plans)[0]!;
    await createOrganization(unscoped, plans, { name: 'Default', ownerEmail: 'owner@localhost', plan, plainKey });
  } finally {
    await connection.query('SELECT pg_advisory_unlock($1)', [BOOTSTRAP_LOCK]);
    connection.release();
  }
}

/** Returns the hash of the first organization's first key: the only one that may lack a checksum, because the operator may have chosen it. */
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
