import { ApiError } from '@drawbridge/contracts';
import { type ConnectionSecret } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { CREDENTIAL_VERSION } from './change-credential.js';
import { type Envelope, type SealedCredential } from './envelope-encryption.js';
import { type Parts } from './parts.js';
import { type Refresher } from './refresh/refresher.js';
import { HAS_ENDED, IS_DUE } from './refresh/statements.js';

/** The time for which rows are cached. A connection that another process suspended or deleted can still be used for this time. */
export const KEPT = { ttlMs: 1_000 };

const FIND_USABLE = `
  SELECT type, display_name AS "displayName", credential_generation AS generation, sealed, wrapped_key AS "wrappedKey",
    master_key_id AS "masterKeyId", ${CREDENTIAL_VERSION} AS version,
    ${IS_DUE} AS "isDue", ${HAS_ENDED} AS "hasEnded", refresh_at IS NOT NULL AS "isRenewable"
  FROM connections.connections
  WHERE id = $1 AND org_id = $2 AND status = 'ACTIVE' AND suspended_at IS NULL`;

/** Selects a deleted connection. Its credential is stored until its triggers are unregistered at the provider. */
const FIND_DEPARTED = `
  SELECT type, '' AS "displayName", 0 AS generation, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId",
    ${CREDENTIAL_VERSION} AS version, false AS "isRenewable"
  FROM connections.revocations WHERE id = $1 AND org_id = $2 AND type IS NOT NULL`;

type DepartedRow = SealedCredential & {
  type: string;
  displayName: string;
  /** A number that increases when the credential is replaced. A refresh changes the version, but not the generation. */
  generation: number;
  version: string;
  /** True if there is a refresh token and an OAuth app that can use it. */
  isRenewable: boolean;
};

type SealedRow = DepartedRow & {
  /** True if the access token should be refreshed, because it expires soon or has expired. */
  isDue: boolean;
  hasEnded: boolean;
};

interface Named {
  orgId: string;
  connectionId: string;
}

export interface Secrets {
  /**
   * Returns the credential, and refreshes it first if its access token has expired. Throws the same errors as `Refresher.renew`, and
   * CONNECTION_REQUIRED for a connection that can no longer be used.
   */
  open(named: Named): Promise<ConnectionSecret>;
  /** Returns the stored credential without a refresh, even if it has expired. Throws CONNECTION_REQUIRED. */
  peek(named: Named): Promise<ConnectionSecret>;
  /** Returns the credential like `open`. For a deleted connection, returns the credential that is stored to unregister its triggers. */
  openToEnd(named: Named): Promise<ConnectionSecret>;
  /** Returns a credential that is newer than this version. Throws the same errors as `Refresher.renew`, and CONNECTION_REQUIRED. */
  renew(named: Named, version: string): Promise<ConnectionSecret>;
  forget(): void;
}

/** Decrypts credentials for executions. Rows and plaintext are cached for at most 1 s. */
export function openSecrets({ pool, envelope }: Parts, refresher: Refresher): Secrets {
  const usable = memoize(KEPT, (_key, named: Named) => findUsable(pool, named));
  const find = async (named: Named): Promise<SealedRow> => {
    const row = await usable(keyOf(named), named);
    if (row) return row;
    const details = { reason: 'not_connected', connectionId: named.connectionId };
    const message = 'The connection was deleted, suspended or rejected by its provider during this request';
    throw new ApiError('CONNECTION_REQUIRED', message, { details });
  };
  const opened = opener(envelope);
  const renew = async (named: Named, version: string): Promise<ConnectionSecret> => {
    await refresher.renew({ ...named, version });
    usable.forget(keyOf(named));
    return opened(named, await find(named));
  };

  async function open(named: Named): Promise<ConnectionSecret> {
    const row = await find(named);
    if (row.hasEnded) return renew(named, row.version);
    // Refreshes in the background and returns the current token, which is still valid. The result is read from the row later.
    if (row.isDue) refresher.renew({ ...named, version: row.version }).catch(() => undefined);
    return opened(named, row);
  }

  return {
    renew,
    open,
    peek: async (named) => opened(named, await find(named)),
    forget: () => (usable.forget(), opened.forget()),
    async openToEnd(named) {
      const [departed] = await findDeparted(pool, named);
      return departed ? opened(named, departed) : open(named);
    },
  };
}

/** Decrypts stored credentials and caches the plaintext. */
interface Opener {
  (named: Named, row: DepartedRow): ConnectionSecret;
  /** Deletes the plaintext of all credentials from the cache. */
  forget(): void;
}

const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Creates an opener that stores plaintext for at most a second, even if it is not requested again. Cache keys contain the version, a hash of the
 * encrypted credential, so a changed credential is decrypted again.
 */
export function opener(envelope: Pick<Envelope, 'open'>, ttl = KEPT.ttlMs): Opener {
  const known = new LRUCache<string, string>({ ttl, ttlAutopurge: true, maxSize: MAX_BYTES, sizeCalculation: sizeOf });
  const decrypt = (named: Named, row: DepartedRow): string => {
    const owner = { orgId: named.orgId, kind: 'connection', id: named.connectionId } as const;
    const credentialJson = toOpenedCredential(envelope.open(row, owner));
    known.set(`${keyOf(named)} ${row.version}`, credentialJson);
    return credentialJson;
  };
  const open = (named: Named, row: DepartedRow): ConnectionSecret => {
    const { type, version, isRenewable: renewable, displayName, generation } = row;
    const credentialJson = known.get(`${keyOf(named)} ${version}`) ?? decrypt(named, row);
    return { type, credentialJson, version, renewable, displayName, generation };
  };
  return Object.assign(open, { forget: () => known.clear() });
}

const sizeOf = ({ length }: string): number => 2 * length + 1;

function keyOf({ orgId, connectionId }: Named): string {
  return `${orgId} ${connectionId}`;
}

async function findUsable(pool: Pool, { connectionId, orgId }: Named): Promise<SealedRow | undefined> {
  const values = [connectionId, orgId];
  const { rows } = await pool.query<SealedRow>({ name: 'find-usable-connection', text: FIND_USABLE, values });
  return rows[0];
}

async function findDeparted(pool: Pool, { connectionId, orgId }: Named): Promise<DepartedRow[]> {
  const values = [connectionId, orgId];
  return (await pool.query<DepartedRow>({ name: 'find-departed-connection', text: FIND_DEPARTED, values })).rows;
}

/** Returns the part of a stored credential that an execution receives, as JSON: everything except the refresh token and the expiry. */
export function toOpenedCredential(stored: string): string {
  const { refreshToken: _renews, expiresAt: _ofBefore, ...credential } = JSON.parse(stored);
  return JSON.stringify(credential);
}
