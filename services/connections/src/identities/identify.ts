import { ApiError } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { isEmail, toEmail } from '@drawbridge/mail';
import { type NamedEndUser } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import {
  type Account,
  type GetIdentityRequest,
  type IdentifyRequest,
  type Identity,
} from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Transaction } from '../database.js';
import { provenEmail } from './email-codes.js';
import { type Parts } from '../parts.js';

/**
 * Returns the end user of an identity (a verified address or a signed-in account). Creates or links the end user if needed. Throws FORBIDDEN if no
 * end user or several match, and NOT_FOUND (workspace).
 */
export async function identify(
  { db, workspaces, outbox }: Parts,
  { who, mayCreate }: IdentifyRequest,
): Promise<NamedEndUser> {
  const asked = who!;
  const { orgId, placeId: workspaceId, account } = asked;
  return db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    // Locks the identity, so that concurrent requests create only one end user.
    await lock(tx, `identify ${workspaceId} ${keyOf(asked)}`);
    const { person, reason } = await settle(tx, { asked, mayCreate, found: await findPeople(tx, asked) });
    const change = { id: person.id, name: person.externalId, workspaceId, reason };
    await outbox.record(tx, change, { orgId, userId: account?.userId ?? '' });
    return { id: person.id, externalId: person.externalId };
  });
}

const keyOf = ({ account, flowHash }: GetIdentityRequest): string => account?.userId ?? flowHash;

async function settle(
  tx: Transaction,
  { asked, mayCreate, found }: { asked: GetIdentityRequest; mayCreate: boolean; found: Found },
): Promise<{ person: Person; reason: string }> {
  const [person, another] = found.people;
  if (another) throw refused('ambiguous');
  const { account } = asked;
  if (found.isProven || !account) {
    if (!person) throw refused('unknown');
    return { person, reason: 'verified by an emailed code' };
  }
  if (person?.userId === account.userId) return { person, reason: 'by their account' };
  if (person) return { person: await link(tx, asked, { account, person }), reason: 'linked to their account' };
  if (!mayCreate) throw refused('unknown');
  return { person: await create(tx, asked, account), reason: 'made for their account' };
}

async function link(
  tx: Transaction,
  { orgId }: GetIdentityRequest,
  { account: { userId }, person }: { account: Account; person: Person },
): Promise<Person> {
  const where = { id: person.id, orgId, userId: null };
  const { count } = await tx.endUser.updateMany({ where, data: { userId, type: 'member' } });
  if (count === 0) throw refused('unknown'); // The end user was deleted at the same time, or linked to another account.
  return { ...person, userId };
}

/**
 * Creates an end user for an account. If the externalId is already used, throws FORBIDDEN instead of linking the account, because the existing end
 * user may be another person.
 */
async function create(
  tx: Transaction,
  { orgId, placeId: workspaceId }: GetIdentityRequest,
  { userId, email, name }: Account,
): Promise<Person> {
  const externalId = `user_${userId}`;
  const taken = await tx.endUser.findFirst({ where: { orgId, workspaceId, externalId }, select: { id: true } });
  if (taken) throw refused('ambiguous');
  return tx.endUser.create({
    data: { orgId, workspaceId, externalId, userId, type: 'member', email, displayName: name || undefined },
  });
}

function refused(reason: string): ApiError {
  return new ApiError('FORBIDDEN', 'This account is not linked to an end user of the workspace', {
    details: { reason },
  });
}

type Queries = Pick<Transaction, '$queryRaw'>;

interface Person {
  id: string;
  externalId: string;
  displayName: string | null;
  userId: string | null;
}

/** The end users of a workspace that match an identity, at most two, and the email address of the identity. */
interface Found {
  email?: string;
  /** True if the address was verified by a code in this authorization flow, which does not need an account. */
  isProven: boolean;
  people: Person[];
}

/**
 * Finds end users by the address that was verified in the authorization flow, otherwise by the linked account, otherwise by the address of the
 * account. The last search excludes end users who are linked to another account.
 */
export async function findPeople(db: Queries, { account, ...flow }: GetIdentityRequest): Promise<Found> {
  const proven = await provenEmail(db, flow);
  if (proven !== undefined)
    return { email: proven, isProven: true, people: await byEmail(db, { ...flow, email: proven }) };
  if (!account) return { isProven: false, people: [] };
  const { userId, email } = account;
  const linked = await byAccount(db, flow, userId);
  if (linked.length > 0 || email === undefined || !isEmail(email)) return { email, isProven: false, people: linked };
  const people = await byEmail(db, { ...flow, email: toEmail(email), isFree: true });
  return { email, isProven: false, people };
}

export function toIdentity({ email, isProven, people }: Found): Identity {
  const [person] = people.length === 1 ? people : [];
  return {
    provenEmail: isProven ? email : undefined,
    id: person?.id,
    externalId: person?.externalId,
    displayName: person?.displayName ?? undefined,
    isAmbiguous: people.length > 1,
  };
}

type Place = Pick<GetIdentityRequest, 'orgId' | 'placeId'>;

interface OfEmail extends Place {
  email: string;
  /** If true, returns only end users who are not linked to an account. */
  isFree?: boolean;
}

/** Selects at most two rows, which are enough to detect an ambiguous match. */
function byEmail(db: Queries, { orgId, placeId, email, isFree = false }: OfEmail): Promise<Person[]> {
  return db.$queryRaw<Person[]>`
    SELECT id, external_id AS "externalId", display_name AS "displayName", user_id AS "userId" FROM connections.end_users
    WHERE org_id = ${orgId}::uuid AND workspace_id = ${placeId}::uuid AND lower(email) = ${email} AND email IS NOT NULL
      AND (user_id IS NULL OR NOT ${isFree}) LIMIT 2`;
}

function byAccount(db: Queries, { orgId, placeId }: Place, userId: string): Promise<Person[]> {
  return db.$queryRaw<Person[]>`
    SELECT id, external_id AS "externalId", display_name AS "displayName", user_id AS "userId" FROM connections.end_users
    WHERE org_id = ${orgId}::uuid AND workspace_id = ${placeId}::uuid AND user_id = ${userId}::uuid`;
}
