import { type Egress } from '@drawbridge/egress';
import { repeat } from '@drawbridge/events';
import { findPiece } from '@drawbridge/pieces';
import { type Background, describeError, type Logger, untilDeadline } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Envelope, type SealedCredential } from '../envelope-encryption.js';
import { type OAuthApps } from './find-oauth-app.js';
import { type GrantedTokens, revokeGrant } from './revoke-grant.js';

const EVERY_MS = 1_000;
const FORGOTTEN_EVERY_MS = 5_000;
const AT_ONCE = 20;
/**
 * A try that did not work is repeated after this. What is left of a deleted connection is gone within a minute, given back or not, and the
 * purge of a workspace that was deleted takes some seconds of it.
 */
const AGAIN = "interval '15 seconds'";
const KEPT = "interval '40 seconds'";
const BATCH = 1_000;

/** Each for one process alone: by the time that it is due again, its try has ended. */
const TAKE = `
  UPDATE connections.revocations SET due_at = now() + ${AGAIN} WHERE id IN (
    SELECT id FROM connections.revocations WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id, org_id AS "orgId", integration_name AS "integrationName", oauth_app_id AS "oauthAppId",
    sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;
/** Not what came in its place meanwhile. */
const REMOVE = 'DELETE FROM connections.revocations WHERE id = $1 AND org_id = $2 AND sealed = $3';
const GIVE_UP = `
  DELETE FROM connections.revocations WHERE id IN (
    SELECT id FROM connections.revocations WHERE created_at < now() - ${KEPT} LIMIT ${BATCH})`;
/** A deleted workspace's own OAuth apps stay as long as what they granted is to be given back. */
const DELETE_APPS = `
  DELETE FROM connections.oauth_apps WHERE id IN (
    SELECT id FROM connections.oauth_apps a
    WHERE abandoned_at IS NOT NULL AND NOT EXISTS (SELECT FROM connections.revocations r WHERE r.oauth_app_id = a.id)
    LIMIT ${BATCH})`;

type Deleted = SealedCredential & { id: string; orgId: string; integrationName: string; oauthAppId: string | null };

interface Needs {
  pool: Pool;
  envelope: Envelope;
  egress: Egress;
  apps: OAuthApps;
  log: Logger;
}

/**
 * Gives back at the provider what deleted connections were granted: as well as it can within a minute. None waits for a slow one, while
 * there is room.
 */
export function revocations(needs: Needs): Background {
  const { pool, log } = needs;
  const underWay = new Set<Promise<void>>();
  const turns = repeat({ name: 'revoking grants', everyMs: EVERY_MS, log }, async (stopping) => {
    if (underWay.size >= AT_ONCE) return;
    for (const row of await take(pool, AT_ONCE - underWay.size)) {
      const revoking = revoke(row, needs, stopping).finally(() => {
        underWay.delete(revoking);
        turns.wake();
      });
      underWay.add(revoking);
    }
  });
  return {
    start: () => turns.start(),
    async stop(deadline) {
      await turns.stop(deadline);
      await untilDeadline(Promise.allSettled(underWay), deadline);
    },
  };
}

/** Forgets what was not given back in time. Whatever a provider does, this goes on beside it. */
export function forgottenRevocations({ pool, log }: Pick<Needs, 'pool' | 'log'>): Background {
  return repeat({ name: 'forgetting grants', everyMs: FORGOTTEN_EVERY_MS, log }, async (stopping) => {
    for (let count: number | null = BATCH; count === BATCH && !stopping.aborted;) {
      count = (await pool.query(GIVE_UP)).rowCount;
      if (count) log.warn({ count }, 'grants of deleted connections could not be revoked at their providers');
    }
    await pool.query(DELETE_APPS);
  });
}

async function take(pool: Pool, count: number): Promise<Deleted[]> {
  return (await pool.query<Deleted>(TAKE, [count])).rows;
}

async function revoke(row: Deleted, { pool, envelope, egress, apps, log }: Needs, signal: AbortSignal): Promise<void> {
  const { id, orgId, integrationName, oauthAppId } = row;
  const about = { connectionId: id, orgId };
  try {
    const provider = findPiece(integrationName)?.auth?.oauth2;
    const app = provider?.revoke && (await apps.find({ orgId, integrationName, id: oauthAppId }));
    const tokens = JSON.parse(envelope.open(row, { orgId, kind: 'connection', id })) as GrantedTokens;
    const status =
      provider && app && (await revokeGrant({ send: egress.sendFor(orgId), provider, app, signal }, tokens));
    if (status) log.warn({ ...about, status }, 'a provider took the grant of a deleted connection not back');
    await pool.query(REMOVE, [id, orgId, row.sealed]);
  } catch (error) {
    log.info({ ...about, error: describeError(error) }, 'a grant could not be revoked; trying again');
  }
}
