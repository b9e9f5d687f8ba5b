import { ApiError } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { type NamedEndUser } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import {
  type Account,
  type GetIdentityRequest,
  type IdentifyRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Db, type Transaction } from '../database.js';
import { type WorkspaceChecks } from '../workspaces.js';
import { type Found, findPeople, type Person } from './find-identity.js';

interface Parts {
  db: Db;
  workspaces: Pick<WorkspaceChecks, 'requireNotDeleted'>;
  outbox: Outbox;
}

/** Returns the end user of an identity. Throws FORBIDDEN if none or several match, and NOT_FOUND (workspace). */
export async function identify(
  { db, workspaces, outbox }: Parts,
  { who, mayCreate }: IdentifyRequest,
): Promise<NamedEndUser> {
  const asked = who!;
  const { orgId, placeId: workspaceId, account } = asked;
  return db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    // Concurrent requests of one identity must create one end user only.
    await lock(tx, `identify ${workspaceId} ${keyOf(asked)}`);
    const { person, reason } = await settle(tx, { asked, mayCreate, found: await findPeople(tx, asked) });
    const change = { id: person.id, name: person.externalId, workspaceId, reason };
    await outbox.record(tx, change, { orgId, userId: account?.userId ?? '' });
    return { id: person.id, externalId: person.externalId };
  });
}

const keyOf = ({ account, flowHash }: GetIdentityRequest): string => account?.userId ?? flowHash;

interface Settling {
  asked: GetIdentityRequest;
  mayCreate: boolean;
  found: Found;
}

async function settle(
  tx: Transaction,
  { asked, mayCreate, found: { isProven, people } }: Settling,
): Promise<{ person: Person; reason: string }> {
  const [person, another] = people;
  if (another) throw refused('ambiguous');
  const { account } = asked;
  if (isProven || !account) {
    if (!person) throw refused('unknown');
    return { person, reason: 'by a code that was mailed' };
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
  if (count === 0) throw refused('unknown'); // deleted meanwhile, or linked to another account
  return { ...person, userId };
}

/** Never auto-link an account to an existing externalId. */
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
  return new ApiError('FORBIDDEN', 'No end user of the workspace is known to be this person', { details: { reason } });
}
