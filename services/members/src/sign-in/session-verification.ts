import { type Plans } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Pool } from 'pg';
import { permissionsOfRole } from '../permissions-of-role.js';
import { limitsOf } from '../plans.js';
import { IS_LIVE, noSuchSession } from './live-session.js';

const FIND_SESSION = `
  SELECT s.id, s.user_id, s.expires_at < now() + interval '6 days' AS is_unseen, m.org_id, m.role, o.plan, o.plan_version
  FROM members.sessions s
  LEFT JOIN members.members m ON m.org_id = s.active_org_id AND m.user_id = s.user_id
  LEFT JOIN members.organizations o ON o.id = m.org_id
  WHERE s.token = $1 AND ${IS_LIVE}`;

/** Extends a session, at most once a day. */
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

/** Uses one statement, because gateways verify each session in use once a second. */
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
