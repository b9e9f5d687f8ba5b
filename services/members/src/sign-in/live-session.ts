import { ApiError, hashToken } from '@drawbridge/contracts';
import { type Pool } from 'pg';

/** SQL: a session `s` expires after a week without use, and after 30 days in any case, by the database's clock, for the API and for pages. */
export const IS_LIVE = "s.expires_at > now() AND s.created_at > now() - interval '30 days'";

const FIND = `
  SELECT s.id, s.active_org_id AS "activeOrgId", s.created_at > now() - interval '15 minutes' AS "isFresh",
    u.id AS "userId", u.email, u.email_verified AS "isEmailProven", u.name
  FROM members.sessions s JOIN members.users u ON u.id = s.user_id
  WHERE s.token = $1 AND ${IS_LIVE}`;

export interface LiveSession {
  id: string;
  activeOrgId: string | null;
  /** The user signed in within the last 15 minutes. */
  isFresh: boolean;
  userId: string;
  email: string;
  isEmailProven: boolean;
  name: string;
}

/** Returns the session of a token. Throws UNAUTHENTICATED for one that is unknown, ended or expired. */
export async function requireSession(pool: Pool, token: string): Promise<LiveSession> {
  const { rows } = await pool.query<LiveSession>({ name: 'find-person', text: FIND, values: [hashToken(token)] });
  return rows[0] ?? refuse();
}

function refuse(): never {
  throw noSuchSession();
}

export function noSuchSession(): ApiError {
  const details = { reason: 'no_such_key' };
  return new ApiError('UNAUTHENTICATED', 'The session is unknown, ended or expired', { details });
}
