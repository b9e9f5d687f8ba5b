import { toWire } from '@drawbridge/database';
import { type Session } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Pool } from 'pg';
import { IS_LIVE, type LiveSession } from './live-session.js';

const LIST = `
  SELECT s.id, s.ip_address AS address, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.updated_at AS "updatedAt"
  FROM members.sessions s WHERE s.user_id = $1 AND ${IS_LIVE}
  ORDER BY s.created_at DESC, s.id DESC`;

interface Row {
  id: string;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A person's sessions, newest first. */
export async function listSessions(pool: Pool, { id, userId }: LiveSession): Promise<Session[]> {
  const { rows } = await pool.query<Row>(LIST, [userId]);
  return rows.map(({ address, userAgent, ...row }) => ({
    ...toWire(row),
    isCurrent: row.id === id,
    address: address ?? '',
    userAgent: userAgent ?? '',
  }));
}
