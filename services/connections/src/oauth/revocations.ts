import { type PutAside, repeat, withLockedRows } from '@drawbridge/events';
import { findPiece } from '@drawbridge/pieces';
import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type SealedCredential } from '../envelope-encryption.js';
import { revocationUrl } from './account-addresses.js';
import { type GrantedTokens, revokeGrant } from './revoke-grant.js';
import { type Parts } from '../parts.js';

const EVERY_MS = 1_000;
const FORGOTTEN_EVERY_MS = 5_000;
/** Concurrency limits of one process: for one organization at one provider, and for all organizations together. */
const OF_ONE = 8;
const AT_ONCE = 200;
/**
 * Delay before a failed revocation is repeated. A grant is deleted within a minute after its connection, even if revoking it failed. KEPT is shorter
 * than a minute, because purging a deleted workspace takes some seconds of it.
 */
const AGAIN = "interval '15 seconds'";
const KEPT = "interval '40 seconds'";
const BATCH = 1_000;

/**
 * Lists each combination of organization and provider with grants to revoke, so that a large backlog or a slow provider does not delay others. The
 * recursive query skips from one combination to the next with one index lookup.
 */
const SHARES = `
  shares AS (
    (SELECT org_id, integration_name FROM connections.revocations ORDER BY org_id, integration_name LIMIT 1)
    UNION ALL
    SELECT next.* FROM shares CROSS JOIN LATERAL (
      SELECT org_id, integration_name FROM connections.revocations r
      WHERE (r.org_id, r.integration_name) > (shares.org_id, shares.integration_name)
      ORDER BY org_id, integration_name LIMIT 1) next)`;
const FIND_DUE = `
  WITH RECURSIVE ${SHARES}
  SELECT due.id FROM shares CROSS JOIN LATERAL (
    SELECT id FROM connections.revocations r
    WHERE r.org_id = shares.org_id AND r.integration_name = shares.integration_name AND due_at <= now()
      AND shares.org_id::text || ' ' || shares.integration_name <> ALL ($1::text[]) AND id <> ALL ($3::uuid[])
    ORDER BY due_at LIMIT ${OF_ONE}) due
  LIMIT $2`;
/**
 * Leases each row to this process by moving `due_at`. An attempt ends before the row is due again, so two processes never revoke the same grant at
 * once.
 */
const TAKE = `
  UPDATE connections.revocations SET due_at = now() + ${AGAIN} WHERE id = ANY ($1::uuid[])
  RETURNING id, org_id AS "orgId", integration_name AS "integrationName", oauth_app_id AS "oauthAppId",
    sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;
/** Deletes only the grant that was revoked. A refresh may have replaced the grant in this row at the same time. */
const REMOVE = 'DELETE FROM connections.revocations WHERE id = $1 AND org_id = $2 AND sealed = $3';
const LATE = {
  table: 'connections.revocations',
  which: `created_at < now() - ${KEPT}`,
};
/** The OAuth apps of a deleted workspace are stored until their grants are revoked. */
const ABANDONED_APPS = {
  table: 'connections.oauth_apps',
  which: `abandoned_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM connections.revocations r WHERE r.oauth_app_id = oauth_apps.id)`,
};

type Deleted = SealedCredential & { id: string; orgId: string; integrationName: string; oauthAppId: string | null };

/** Revokes the grants of deleted connections at their providers, for at most a minute after the deletion. */
export function revocations(needs: Parts): Background {
  const { pool, log } = needs;
  const underWay = new Map<Promise<void>, string>();
  const turns = repeat({ name: 'revoking grants', everyMs: EVERY_MS, log }, async (stopping, aside) => {
    const room = AT_ONCE - underWay.size;
    if (room <= 0) return;
    for (const row of await takeDue(pool, [busy([...underWay.values()]), room, aside.keys()], aside)) {
      const revoking = revoke(row, needs, stopping).finally(() => {
        underWay.delete(revoking);
        turns.wake();
      });
      underWay.set(revoking, `${row.orgId} ${row.integrationName}`);
    }
  });
  return {
    jobs: turns.jobs,
    start: () => turns.start(),
    async stop(deadline) {
      await turns.stop(deadline);
      await untilDeadline(Promise.allSettled(underWay.keys()), deadline);
    },
  };
}

async function takeDue(pool: Pool, values: unknown[], aside: PutAside): Promise<Deleted[]> {
  const taken: Deleted[] = [];
  await withLockedRows(pool, { text: FIND_DUE, values }, (tx, rows: { id: string }[]) =>
    aside.byHalves(tx, rows, {
      keyOf: ({ id }) => id,
      work: async (some) => taken.push(...(await tx.query<Deleted>(TAKE, [some.map(({ id }) => id)])).rows),
    }),
  );
  return taken;
}

/** Returns the combinations of organization and provider that have reached their concurrency limit. */
function busy(shares: string[]): string[] {
  return [...new Set(shares)].filter((share) => shares.filter((one) => one === share).length >= OF_ONE);
}

/** Deletes grants that were not revoked in time. A separate loop, so that slow providers do not delay it. */
export function forgottenRevocations({ pool, log }: Pick<Parts, 'pool' | 'log'>): Background {
  return repeat({ name: 'forgetting grants', everyMs: FORGOTTEN_EVERY_MS, log }, async (stopping, aside) => {
    for (let found = BATCH; found === BATCH && !stopping.aborted;) {
      const [rows, count] = await deleteSome(pool, LATE, aside);
      found = count === 0 ? 0 : rows;
      if (count) log.warn({ count }, 'could not revoke the grants of deleted connections at their providers');
    }
    await deleteSome(pool, ABANDONED_APPS, aside);
  });
}

/** Deletes a batch of rows. Returns the number of rows that it found and the number that it deleted. */
async function deleteSome(pool: Pool, { table, which }: typeof LATE, aside: PutAside): Promise<[number, number]> {
  const text = `SELECT id FROM ${table} WHERE ${which} AND id <> ALL ($1::uuid[]) LIMIT ${BATCH}`;
  const counts = await withLockedRows(pool, { text, values: [aside.keys()] }, async (tx, rows: { id: string }[]) => {
    const deleted = await aside.byHalves(tx, rows, {
      keyOf: ({ id }) => id,
      work: (some) => tx.query(`DELETE FROM ${table} WHERE id = ANY ($1::uuid[])`, [some.map(({ id }) => id)]),
    });
    return [rows.length, deleted] as [number, number];
  });
  return counts ?? [0, 0];
}

async function revoke(row: Deleted, { pool, envelope, egress, apps, log }: Parts, signal: AbortSignal): Promise<void> {
  const { id, orgId, integrationName, oauthAppId } = row;
  const about = { connectionId: id, orgId };
  try {
    const tokens = JSON.parse(envelope.open(row, { orgId, kind: 'connection', id })) as GrantedTokens;
    const piece = hasGrant(tokens) ? findPiece(integrationName) : undefined;
    const provider = piece?.auth?.oauth2;
    const app = provider?.revoke && (await apps.find({ orgId, integrationName, id: oauthAppId }));
    const url = app && revocationUrl(piece!, tokens.data ?? {}, app.clientId);
    const status =
      provider && url && (await revokeGrant({ send: egress.sendFor(orgId), provider, app, signal, url }, tokens));
    if (status)
      log.warn({ ...about, status }, 'a provider rejected the revocation of the grant of a deleted connection');
    await pool.query(REMOVE, [id, orgId, row.sealed]);
  } catch (error) {
    log.info({ ...about, error: describeError(error) }, 'could not revoke a grant; retrying');
  }
}

/** A row without an access token is not revoked. It is stored only because ending the triggers of the connection needs its credential. */
function hasGrant({ accessToken }: Partial<GrantedTokens>): boolean {
  return accessToken !== undefined;
}

/** SQL that stores a grant for revocation, encrypted for the connection with this id. The caller appends a condition. */
export const KEEP_GRANT = `
  INSERT INTO connections.revocations (id, org_id, sealed, wrapped_key, master_key_id, integration_name, oauth_app_id)
  SELECT $1::uuid, $2::uuid, $3::bytea, $4::bytea, $5, $6, $7::uuid`;
