import { type Egress } from '@drawbridge/egress';
import { repeat } from '@drawbridge/events';
import { findPiece } from '@drawbridge/pieces';
import { type Background, describeError, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Envelope, type SealedCredential } from '../envelope-encryption.js';
import { type OAuthApps } from './find-oauth-app.js';
import { type GrantedTokens, revokeGrant } from './revoke-grant.js';

const EVERY_MS = 5_000;
const AT_ONCE = 10;
/** A try that did not work is repeated after this; what is left of a deleted connection goes after a minute, given back or not. */
const AGAIN = "interval '15 seconds'";
const KEPT = "interval '50 seconds'";

/** Each for one process alone: by the time that it is due again, its try has ended. */
const TAKE = `
  UPDATE connections.revocations SET due_at = now() + ${AGAIN} WHERE id IN (
    SELECT id FROM connections.revocations WHERE due_at <= now() ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING id, org_id AS "orgId", integration_name AS "integrationName", oauth_app_id AS "oauthAppId",
    sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;
const REMOVE = 'DELETE FROM connections.revocations WHERE id = $1 AND org_id = $2';
const GIVE_UP = `DELETE FROM connections.revocations WHERE created_at < now() - ${KEPT}`;

type Deleted = SealedCredential & { id: string; orgId: string; integrationName: string; oauthAppId: string | null };

interface Needs {
  pool: Pool;
  envelope: Envelope;
  egress: Egress;
  apps: OAuthApps;
  log: Logger;
}

/** Gives back at the provider what deleted connections were granted: as well as it can within a minute, and then forgets it. */
export function revocations(needs: Needs): Background {
  const { pool, log } = needs;
  return repeat({ name: 'revoking the grants of deleted connections', everyMs: EVERY_MS, log }, async () => {
    const { rowCount } = await pool.query(GIVE_UP);
    if (rowCount)
      log.warn({ count: rowCount }, 'grants of deleted connections could not be revoked at their providers');
    for (let taken = await take(pool); taken.length > 0; taken = await take(pool)) {
      await Promise.all(taken.map((row) => revoke(row, needs)));
    }
  });
}

async function take(pool: Pool): Promise<Deleted[]> {
  return (await pool.query<Deleted>(TAKE)).rows;
}

async function revoke(row: Deleted, { pool, envelope, egress, apps, log }: Needs): Promise<void> {
  const { id, orgId, integrationName, oauthAppId } = row;
  try {
    const provider = findPiece(integrationName)?.auth?.oauth2;
    const app = provider?.revoke && (await apps.find({ orgId, integrationName, id: oauthAppId }));
    const tokens = JSON.parse(envelope.open(row, { orgId, kind: 'connection', id })) as GrantedTokens;
    if (provider && app && !(await revokeGrant({ send: egress.sendFor(orgId), provider, app }, tokens))) return;
    await pool.query(REMOVE, [id, orgId]);
  } catch (error) {
    log.info({ connectionId: id, orgId, error: describeError(error) }, 'a grant could not be revoked; trying again');
  }
}
