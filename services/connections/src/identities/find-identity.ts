import { isEmail, toEmail } from '@drawbridge/mail';
import { type GetIdentityRequest, type Identity } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Transaction } from '../database.js';
import { provenEmail } from './email-proofs.js';

type Queries = Pick<Transaction, '$queryRaw'>;

export interface Person {
  id: string;
  externalId: string;
  displayName: string | null;
  userId: string | null;
}

/** The end users of a workspace that match an identity, two at most, and by which email. */
export interface Found {
  email?: string;
  /** True if the email was proven in the flow, independent of an account. */
  isProven: boolean;
  people: Person[];
}

/**
 * Finds end users by the email that was proven in the flow; else by the linked account; else by that account's email. An end user who is linked to
 * another account is not found by email.
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
  /** Only end users who are linked to no account. */
  isFree?: boolean;
}

/** Two rows are enough to know that the match is ambiguous. */
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
