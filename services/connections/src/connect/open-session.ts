import { ApiError, CONNECT_TOKEN, hashToken, newId, newToken } from '@drawbridge/contracts';
import { type Transaction } from '../database.js';

/** Stored sessions of one organization, including expired ones: some 85,000 a day. */
const MAX_SESSIONS = 100_000;
/** Limits the sessions that one end user started in the portal. */
const MAX_OF_PERSON = 100;
const RETRY_SECONDS = 3_600;

/** The connection that a session creates, and who requested it. */
export interface SessionFacts {
  orgId: string;
  /** Absent: the end user started it in the portal. */
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
  /** Only for the link: the database stores its SHA-256. */
  token: string;
}

/** Creates a session that lasts 4 hours by the database's clock. Throws RATE_LIMITED. */
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
 * Creates a session that an end user starts in the portal; the end user's record is locked. Deletes earlier sessions of the same connection that were
 * not continued. A separate limit keeps one link from using up the organization's limit. Throws RATE_LIMITED.
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

/** The limit is approximate: concurrent callers may open a few more. */
async function requireFew({ total }: Pick<Transaction, 'total'>, orgId: string): Promise<void> {
  const known = await total.findUnique({ where: { orgId_of: { orgId, of: 'connect_sessions' } } });
  if ((known?.rows ?? 0) < MAX_SESSIONS) return;
  throw tooMany(`An organization has at most ${MAX_SESSIONS} connect sessions in a day`);
}

const tooMany = (message: string): ApiError =>
  new ApiError('RATE_LIMITED', message, { details: { retryAfter: RETRY_SECONDS } });
