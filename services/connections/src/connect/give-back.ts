import { newId } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { type Envelope } from '../envelope-encryption.js';
import { KEEP_GRANT } from '../oauth/keep-grant.js';
import { type Turn } from './end-session.js';
import { type FoundSession } from './find-session.js';
import { type Granted } from './store-connection.js';

/**
 * Not if another process has the session or completed it. Not if the connection that was to be reconnected exists: it most likely belongs to the same
 * account, and Google and others would revoke its grant, too.
 */
const GIVE_BACK = `${KEEP_GRANT}
  WHERE NOT EXISTS (
    SELECT FROM connections.connect_sessions
    WHERE org_id = $2 AND id = $8 AND status <> 'FAILED' AND NOT (status = 'CONNECTING' AND turn = $9))
  AND NOT EXISTS (
    SELECT FROM connections.connections
    WHERE org_id = $2 AND integration_name = $6 AND external_id = $10 AND end_user_id IS NOT DISTINCT FROM $12
      AND scope_id IN ($2, $11, (SELECT id FROM connections.end_users WHERE org_id = $2 AND workspace_id = $11 AND external_id = $12)))`;

interface Needs {
  pool: Pool;
  envelope: Envelope;
}

/** Enqueues the revocation of a grant whose connection may not be stored. Credentials that a user typed are not revoked. */
export async function giveBack(
  session: FoundSession,
  { turn }: Turn,
  { type, plaintext, oauthAppId = null }: Granted,
  { pool, envelope }: Needs,
): Promise<void> {
  if (type !== 'OAUTH2' && type !== 'PLATFORM_OAUTH2') return;
  const { orgId, integrationName, externalId, workspaceId, endUserId } = session;
  const id = newId();
  const { sealed, wrappedKey, masterKeyId } = envelope.seal(plaintext, { orgId, kind: 'connection', id });
  const grant = [id, orgId, sealed, wrappedKey, masterKeyId, integrationName, oauthAppId];
  await pool.query(GIVE_BACK, [...grant, session.id, turn, externalId, workspaceId, endUserId]);
}
