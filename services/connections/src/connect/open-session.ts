import { ApiError, CONNECT_TOKEN, hashToken, newId, newToken } from '@drawbridge/contracts';
import { type Transaction } from '../database.js';

/** Kept at once of an organization, those that are over included: some 85,000 a day. */
const MAX_SESSIONS = 100_000;
/** Of these, begun by one person in the portal. */
const MAX_OF_PERSON = 100;
const RETRY_SECONDS = 3_600;

/** What a session leads to, and who asked for it. */
export interface SessionFacts {
  orgId: string;
  /** Absent: an end user, on a page of their own. */
  userId?: string;
  keyId?: string;
  integrationName: string;
  connectionName: string;
  externalId: string;
  workspaceId: string;
  /** The end user's externalId. */
  endUserId?: string;
  scope: string;
  oauthAppId?: string;
  successRedirectUri?: string;
  errorRedirectUri?: string;
}

export interface OpenedSession {
  session: { id: string; expiresAt: Date };
  /** For the link, and told to nobody else: its SHA-256 is stored. */
  token: string;
}

/** A new session, for 4 hours by the database's clock. Throws RATE_LIMITED. */
export async function openSession(
  tx: Pick<Transaction, '$queryRaw' | 'total'>,
  facts: SessionFacts,
): Promise<OpenedSession> {
  const { orgId } = facts;
  await requireFew(tx, orgId);
  const token = newToken(CONNECT_TOKEN);
  const [session] = await tx.$queryRaw<[OpenedSession['session']]>`
    INSERT INTO connections.connect_sessions (org_id, id, token_hash, user_id, key_id, integration_name, connection_name,
      external_id, workspace_id, end_user_id, scope, oauth_app_id, success_redirect_uri, error_redirect_uri, expires_at, updated_at)
    VALUES (${orgId}::uuid, ${newId()}::uuid, ${hashToken(token)}, ${facts.userId ?? null}::uuid,
      ${facts.keyId ?? null}::uuid, ${facts.integrationName}, ${facts.connectionName}, ${facts.externalId},
      ${facts.workspaceId}::uuid, ${facts.endUserId ?? null}, ${facts.scope}, ${facts.oauthAppId ?? null}::uuid,
      ${facts.successRedirectUri ?? null}, ${facts.errorRedirectUri ?? null}, now() + interval '4 hours', now())
    RETURNING id, expires_at AS "expiresAt"`;
  return { session, token };
}

/**
 * The same for an end user, on a page of their own, whose record is locked: what they began before for the same connection and did
 * not go on with ends. Whoever has their link can't use up what the organization has.
 */
export async function openPersonsSession(
  tx: Pick<Transaction, '$queryRaw' | 'total' | 'connectSession'>,
  facts: SessionFacts & { endUserId: string },
): Promise<OpenedSession> {
  const { orgId, workspaceId, endUserId, externalId, integrationName } = facts;
  const theirs = { orgId, workspaceId, endUserId, userId: null, keyId: null };
  await tx.connectSession.deleteMany({ where: { ...theirs, externalId, integrationName, status: 'PENDING' } });
  const begun = await tx.connectSession.count({ where: theirs });
  if (begun >= MAX_OF_PERSON) throw tooMany(`A person begins at most ${MAX_OF_PERSON} connect sessions in a day`);
  return openSession(tx, facts);
}

/** Not to the last one: racing callers may open a few more. */
async function requireFew({ total }: Pick<Transaction, 'total'>, orgId: string): Promise<void> {
  const known = await total.findUnique({ where: { orgId_of: { orgId, of: 'connect_sessions' } } });
  if ((known?.rows ?? 0) < MAX_SESSIONS) return;
  throw tooMany(`An organization has at most ${MAX_SESSIONS} connect sessions in a day`);
}

const tooMany = (message: string): ApiError =>
  new ApiError('RATE_LIMITED', message, { details: { retryAfter: RETRY_SECONDS } });
