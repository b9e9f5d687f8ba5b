import { toWire } from '@drawbridge/database';
import { type Account } from '@drawbridge/proto/drawbridge/members/v1/accounts';
import { type Pool } from 'pg';
import { IS_LIVE, type LiveSession } from './live-session.js';

const PAGE = 20;

const LIST = `
  SELECT s.id, s.ip_address AS address, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.updated_at AS "updatedAt"
  FROM members.sessions s WHERE s.user_id = $1 AND ${IS_LIVE}
  ORDER BY s.created_at DESC, s.id DESC LIMIT ${PAGE + 1} OFFSET $2`;

interface Row {
  id: string;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns one page of a user's sessions, newest first; the first page is 0. */
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
