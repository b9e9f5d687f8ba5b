import { ApiError, newId } from '@drawbridge/contracts';
import { lockQuota, requireRoom } from '@drawbridge/database';
import { type Caller, keepTrying, nothingToRecord, runAs } from '@drawbridge/rpc';
import { replaceCredential } from '../change-credential.js';
import { ownerOf } from '../connection-scope.js';
import { type ConnectionRow, type Transaction } from '../database.js';
import { KEEP_GRANT } from '../oauth/revocations.js';
import { setLifetime } from '../refresh/statements.js';
import {
  completeSession,
  failSession,
  type FoundSession,
  releaseSession,
  LostLock,
  type SessionLock,
} from './stored-session.js';
import { type Parts } from '../parts.js';

/**
 * Time, in milliseconds, during which storing a grant is retried, because the provider issues the grant only once. Must be shorter than the lock of
 * the session.
 */
const TRY_MS = 30_000;
const AGAIN_MS = 500;

/**
 * Ends the session as COMPLETED, or as FAILED if the connection cannot be stored because the quota is used up or the workspace was deleted. A grant
 * that is not stored is revoked, even if the session was deleted at the same time. Throws on an internal error, after which the session can be tried
 * again.
 */
export async function endSession(
  session: FoundSession,
  held: SessionLock,
  granted: Granted,
  needs: Parts,
): Promise<void> {
  const until = performance.now() + TRY_MS;
  try {
    const refusal = await retried(until, () => storeUnlessRefused(session, held, granted, needs));
    if (!refusal) return;
    await retried(until, () => enqueueRevocation(session, held, granted, needs));
    await retried(until, () => failSession(needs.pool, held, refusal.message));
  } catch (error) {
    await releaseSession(needs.pool, held);
    throw error;
  }
}

/** Returns the error if the connection cannot be stored and a retry would not help. */
async function storeUnlessRefused(...asked: Parameters<typeof storeConnection>): Promise<Error | undefined> {
  try {
    await storeConnection(...asked);
    return undefined;
  } catch (error) {
    nothingToRecord();
    if (error instanceof LostLock || (error instanceof ApiError && error.status < 500)) return error;
    throw error;
  }
}

/** Retries a database write. All writes here can be repeated, even if an earlier commit succeeded and its response was lost. */
const retried = <T>(until: number, work: () => Promise<T>): Promise<T> =>
  keepTrying({ until, pauseMs: AGAIN_MS }, work);

/** The credential that completes a session. */
export interface Granted {
  type: string;
  /** The credential before encryption. */
  plaintext: string;
  oauthAppId?: string | null;
  /** Lifetime of the access token, in seconds. */
  expiresIn?: number;
  isRenewable?: boolean;
  /** The name of the account that the user recognizes. */
  label?: string;
}

/**
 * Stores the credential and completes the session in one transaction. Replaces the credential of the connection with the externalId of the session,
 * or creates a connection. Throws LostLock, NOT_FOUND or FORBIDDEN (workspace), QUOTA_EXCEEDED, and the errors of `replaceCredential`.
 */
async function storeConnection(
  session: FoundSession,
  held: SessionLock,
  granted: Granted,
  { db, envelope, workspaces, outbox, findLimit, onCommit }: Parts,
): Promise<void> {
  const { orgId, workspaceId, externalId, integrationName } = session;
  const ask = () => Promise.all([findLimit(orgId), workspaces.require(workspaceId)]);
  const [limitIn] = await actFor(session, ask);
  await db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, workspaceId);
    const quota = { orgId, table: 'connections', limit: () => limitIn(tx) };
    await lockQuota(tx, quota);
    const owner = await ownerOf(tx, session);
    const known = await lockKnown(tx, { orgId, externalId, scopeId: owner.scopeId });
    const id = known?.id ?? newId();
    const { type, plaintext, oauthAppId, label: accountLabel = null } = granted;
    const credential = envelope.seal(plaintext, { orgId, kind: 'connection', id });
    if (known) {
      await replaceCredential(tx, known, { ...owner, integrationName, type, credential, oauthAppId, accountLabel });
    } else {
      await requireRoom(tx, quota);
      const facts = { ...factsOf(session), ...owner, id, type, oauthAppId, accountLabel };
      await tx.connection.create({ data: { ...facts, ...credential } });
    }
    await setLifetime(tx, { id, orgId }, granted);
    await completeSession(tx, held, { connectionId: id, accountLabel });
    await outbox.record(tx, toChange(session, id, known !== null), toActor(session));
    if (known) await outbox.add(tx, { $case: 'connectionReconnected', value: { connectionId: id } }, orgId);
  });
  outbox.wake();
  onCommit();
}

/**
 * Returns the existing connection of the session and locks its row. Otherwise a concurrent deletion would complete the session with a connection that
 * does not exist.
 */
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
  return { id, name, workspaceId, reason: isKnown ? 'connected again' : 'connected' };
}

/** Returns the creator of the session for the audit log. The user id is empty if an end user started it, because the log contains no end users. */
function toActor({ orgId, userId, keyId }: FoundSession) {
  return { orgId, userId: userId ?? '', ...(keyId && { keyId }) };
}

/**
 * Enqueues the revocation of a grant that was not stored. Does nothing if another process locked or completed the session, or if the session
 * reconnects an existing connection. The stored grant then probably belongs to the same account, and Google and other providers would revoke it
 * together with the lost grant.
 */
const ENQUEUE_REVOCATION = `${KEEP_GRANT}
  WHERE NOT EXISTS (
    SELECT FROM connections.connect_sessions
    WHERE org_id = $2 AND id = $8 AND status <> 'FAILED' AND NOT (status = 'CONNECTING' AND turn = $9))
  AND NOT EXISTS (
    SELECT FROM connections.connections
    WHERE org_id = $2 AND integration_name = $6 AND external_id = $10 AND end_user_id IS NOT DISTINCT FROM $12
      AND scope_id IN ($2, $11, (SELECT id FROM connections.end_users WHERE org_id = $2 AND workspace_id = $11 AND external_id = $12)))`;

/** Enqueues the revocation of a grant if its connection cannot be stored. Credentials that a user typed are not revoked. */
async function enqueueRevocation(
  session: FoundSession,
  { turn }: SessionLock,
  { type, plaintext, oauthAppId = null }: Granted,
  { pool, envelope }: Parts,
): Promise<void> {
  if (type !== 'OAUTH2' && type !== 'PLATFORM_OAUTH2') return;
  const { orgId, integrationName, externalId, workspaceId, endUserId } = session;
  const id = newId();
  const { sealed, wrappedKey, masterKeyId } = envelope.seal(plaintext, { orgId, kind: 'connection', id });
  const grant = [id, orgId, sealed, wrappedKey, masterKeyId, integrationName, oauthAppId];
  await pool.query(ENQUEUE_REVOCATION, [...grant, session.id, turn, externalId, workspaceId, endUserId]);
}

const NEVER = new AbortController().signal;
const WORK_MS = 10_000;

type ActedFor = Pick<FoundSession, 'orgId' | 'userId' | 'keyId' | 'workspaceId'>;

/**
 * Runs `work` on behalf of the creator of the session, with access to the workspace of the session only, because a connect page has no other
 * identity. The work may take 10 s and continues after the browser disconnects, because the authorization code is already used.
 */
export function actFor<T>({ orgId, userId, keyId, workspaceId }: ActedFor, work: () => Promise<T>): Promise<T> {
  const caller: Caller = {
    orgId,
    userId: userId ?? '',
    keyId: keyId ?? undefined,
    permissions: { scope: 'workspace', workspaceIds: [workspaceId], grants: ['connections.write'] },
    source: 'rest',
  };
  return runAs({ caller, signal: NEVER, deadline: Date.now() + WORK_MS }, work);
}
