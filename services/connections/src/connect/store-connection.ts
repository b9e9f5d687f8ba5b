import { newId } from '@drawbridge/contracts';
import { lockQuota, requireRoom } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { type FindLimit } from '@drawbridge/service';
import { ownerOf } from '../connection-owner.js';
import { type ConnectionRow, type Db, type Transaction } from '../database.js';
import { type Envelope } from '../envelope-encryption.js';
import { setLifetime } from '../refresh/set-lifetime.js';
import { replaceCredential } from '../replace-credential.js';
import { type WorkspaceChecks } from '../workspaces.js';
import { actFor } from './act-for.js';
import { complete, type Turn } from './end-session.js';
import { type FoundSession } from './find-session.js';

/** The credential with which a session ends. */
export interface Granted {
  type: string;
  /** The credential, to be sealed. */
  plaintext: string;
  oauthAppId?: string | null;
  /** Seconds. */
  expiresIn?: number;
  isRenewable?: boolean;
}

export interface StoreNeeds {
  db: Db;
  envelope: Envelope;
  workspaces: WorkspaceChecks;
  outbox: Outbox;
  findLimit: FindLimit;
  onCommit(): void;
}

/**
 * Stores the credential in one transaction with the session's end: in the existing connection with the session's externalId, or in a new one. Throws
 * LostTurn, NOT_FOUND or FORBIDDEN (workspace), QUOTA_EXCEEDED, and the errors of `replaceCredential`.
 */
export async function storeConnection(
  session: FoundSession,
  held: Turn,
  granted: Granted,
  { db, envelope, workspaces, outbox, findLimit, onCommit }: StoreNeeds,
): Promise<void> {
  const { orgId, workspaceId, externalId } = session;
  const ask = () => Promise.all([findLimit(orgId), workspaces.require(workspaceId)]);
  const [limitIn] = await actFor(session, ask);
  await db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    const quota = { orgId, table: 'connections', limit: () => limitIn(tx) };
    await lockQuota(tx, quota);
    const owner = await ownerOf(tx, session);
    const known = await lockKnown(tx, { orgId, externalId, scopeId: owner.scopeId });
    const id = known?.id ?? newId();
    const { type, plaintext, oauthAppId } = granted;
    const credential = envelope.seal(plaintext, { orgId, kind: 'connection', id });
    if (known) {
      await replaceCredential(tx, known, {
        integrationName: session.integrationName,
        endUserRecordId: owner.endUserRecordId,
        type,
        credential,
        oauthAppId,
      });
    } else {
      await requireRoom(tx, quota);
      await tx.connection.create({ data: { ...factsOf(session), ...owner, ...credential, id, type, oauthAppId } });
    }
    await setLifetime(tx, { id, orgId }, granted);
    await complete(tx, held, id);
    await outbox.record(tx, toChange(session, id, known !== null), toActor(session));
    if (known) await outbox.add(tx, { $case: 'connectionReconnected', value: { connectionId: id } }, orgId);
  });
  outbox.wake();
  onCommit();
}

/** Locks the row: if it were deleted meanwhile, the session would be completed with a connection that does not exist. */
async function lockKnown(
  tx: Transaction,
  where: { orgId: string; scopeId: string; externalId: string },
): Promise<ConnectionRow | null> {
  const { orgId, scopeId, externalId } = where;
  await tx.$executeRaw`
    SELECT FROM connections.connections
    WHERE org_id = ${orgId}::uuid AND scope_id = ${scopeId}::uuid AND external_id = ${externalId} FOR UPDATE`;
  return tx.connection.findFirst({ where });
}

function factsOf({ orgId, externalId, connectionName, integrationName, workspaceId, endUserId, scope }: FoundSession) {
  return { orgId, externalId, displayName: connectionName, integrationName, workspaceId, endUserId, scope };
}

function toChange({ connectionName: name, workspaceId }: FoundSession, id: string, isKnown: boolean) {
  return { id, name, workspaceId, reason: isKnown ? 'connected anew' : 'connected' };
}

/** Returns the creator of the session. The audit log does not know end users. */
function toActor({ orgId, userId, keyId }: FoundSession) {
  return { orgId, userId: userId ?? '', ...(keyId && { keyId }) };
}
