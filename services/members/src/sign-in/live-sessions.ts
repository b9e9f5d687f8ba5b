import { ApiError, hashToken, type Plans } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Account } from '@drawbridge/proto/drawbridge/members/v1/accounts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Pool } from 'pg';
import { type Session } from '../gen/prisma/client.js';
import { permissionsOfRole } from '../permissions.js';
import { limitsOf } from '../plans.js';

/**
 * SQL condition for a valid session `s`. A session expires after a week without use, and after 30 days in any case, by the clock of the database. The
 * API and the pages must use this condition, so that they never disagree.
 */
const IS_LIVE = "s.expires_at > now() AND s.created_at > now() - interval '30 days'";

const FIND = `
  SELECT s.id, s.active_org_id AS "activeOrgId", s.created_at > now() - interval '15 minutes' AS "isFresh",
    u.id AS "userId", u.email, u.email_verified AS "isEmailProven", u.name
  FROM members.sessions s JOIN members.users u ON u.id = s.user_id
  WHERE s.token = $1 AND ${IS_LIVE}`;

export interface LiveSession {
  id: string;
  activeOrgId: string | null;
  /** True if the user signed in within the last 15 minutes. */
  isFresh: boolean;
  userId: string;
  email: string;
  isEmailProven: boolean;
  name: string;
}

/** Returns the session of a token. Throws UNAUTHENTICATED for a session that is unknown, signed out or expired. */
export async function requireSession(pool: Pool, token: string): Promise<LiveSession> {
  const { rows } = await pool.query<LiveSession>({ name: 'find-person', text: FIND, values: [hashToken(token)] });
  if (!rows[0]) throw noSuchSession();
  return rows[0];
}

export function noSuchSession(): ApiError {
  const details = { reason: 'no_such_key' };
  return new ApiError('UNAUTHENTICATED', 'The session is unknown, signed out or expired', { details });
}

const FIND_SESSION = `
  SELECT s.id, s.user_id, s.expires_at < now() + interval '6 days' AS is_unseen, m.org_id, m.role, o.plan, o.plan_version
  FROM members.sessions s
  LEFT JOIN members.members m ON m.org_id = s.active_org_id AND m.user_id = s.user_id
  LEFT JOIN members.organizations o ON o.id = m.org_id
  WHERE s.token = $1 AND ${IS_LIVE}`;

/** Extends a session to 7 days. Changes a row at most once a day, because active sessions are verified every second. */
const SEEN = `
  UPDATE members.sessions SET expires_at = now() + interval '7 days', updated_at = now()
  WHERE id = $1 AND expires_at BETWEEN now() AND now() + interval '6 days'`;

interface Found {
  id: string;
  user_id: string;
  is_unseen: boolean;
  org_id: string | null;
  role: string | null;
  plan: string | null;
  plan_version: number | null;
}

/** Verifies a session with one statement, because gateways verify each active session once a second. */
export async function verifySession(pool: Pool, plans: Plans, tokenHash: string): Promise<KeyHolder> {
  const found = await pool.query<Found>({ name: 'find-session', text: FIND_SESSION, values: [tokenHash] });
  const [session] = found.rows;
  if (!session) throw noSuchSession();
  if (session.is_unseen) await pool.query(SEEN, [session.id]);
  return {
    orgId: session.org_id ?? '',
    keyId: '',
    sessionId: session.id,
    userId: session.user_id,
    permissions: permissionsOfRole(session.role ?? undefined),
    requestsPerMinute: session.plan ? (limitsOf(plans, session.plan).requestsPerMinute ?? undefined) : undefined,
    planVersion: session.plan_version ?? 0,
  };
}

const PAGE = 20;

const LIST = `
  SELECT s.id, s.ip_address AS address, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.updated_at AS "updatedAt"
  FROM members.sessions s WHERE s.user_id = $1 AND ${IS_LIVE}
  ORDER BY s.created_at DESC, s.id DESC LIMIT ${PAGE + 1} OFFSET $2`;

type Row = Pick<Session, 'id' | 'userAgent' | 'createdAt' | 'updatedAt'> & { address: string | null };

/** Returns one page of a user's sessions, newest first. The first page is 0. */
export async function listSessions(
  pool: Pool,
  { id, userId }: LiveSession,
  page: number,
): Promise<Pick<Account, 'sessions' | 'hasOlderSessions'>> {
  const { rows } = await pool.query<Row>(LIST, [userId, page * PAGE]);
  const sessions = rows.slice(0, PAGE).map(({ address, userAgent, ...row }) => ({
    ...toWire(row),
    isCurrent: row.id === id,
    address: address ?? '',
    userAgent: userAgent ?? '',
  }));
  return { sessions, hasOlderSessions: rows.length > PAGE };
}
