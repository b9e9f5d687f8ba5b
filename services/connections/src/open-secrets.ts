import { ApiError } from '@drawbridge/contracts';
import { type ConnectionSecret } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { toOpenedCredential } from './credentials.js';
import { type Envelope, type SealedCredential } from './envelope-encryption.js';
import { type Refresher } from './refresh/refresher.js';
import { HAS_ENDED, IS_DUE } from './refresh/statements.js';
import { CREDENTIAL_VERSION } from './refuse-connection.js';

/** How long a suspended or deleted connection may still open where another process changed it. */
export const KEPT = { ttlMs: 1_000 };

const FIND_USABLE = `
  SELECT type, display_name AS "displayName", credential_generation AS generation, sealed, wrapped_key AS "wrappedKey",
    master_key_id AS "masterKeyId", ${CREDENTIAL_VERSION} AS version,
    ${IS_DUE} AS "isDue", ${HAS_ENDED} AS "hasEnded", refresh_at IS NOT NULL AS "isRenewable"
  FROM connections.connections
  WHERE id = $1 AND org_id = $2 AND status = 'ACTIVE' AND suspended_at IS NULL`;

/** Deleted, and kept until what hangs on it is ended. */
const FIND_DEPARTED = `
  SELECT type, '' AS "displayName", 0 AS generation, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId",
    ${CREDENTIAL_VERSION} AS version, false AS "isRenewable"
  FROM connections.revocations WHERE id = $1 AND org_id = $2 AND type IS NOT NULL`;

type DepartedRow = SealedCredential & {
  type: string;
  displayName: string;
  /** Grows when the credential is replaced; a refresh gives it another version, and keeps its generation. */
  generation: number;
  version: string;
  /** There is a refresh token, and a client to send it. */
  isRenewable: boolean;
};

type SealedRow = DepartedRow & {
  /** Its access token ends soon, or has ended: it is refreshed. */
  isDue: boolean;
  hasEnded: boolean;
};

interface Needs {
  pool: Pool;
  envelope: Envelope;
  refresher: Pick<Refresher, 'renew'>;
}

/** What is asked for: a connection of an organization. */
interface Named {
  orgId: string;
  connectionId: string;
}

export interface Secrets {
  /** Refreshed where that is due. Throws as `Refresher.renew` does, and CONNECTION_REQUIRED for one that can't be used any more. */
  open(named: Named): Promise<ConnectionSecret>;
  /** As it is, whether it has ended or not. Throws CONNECTION_REQUIRED. */
  peek(named: Named): Promise<ConnectionSecret>;
  /** The same as `open`, and of a deleted one what is kept to end what hangs on it. */
  openToEnd(named: Named): Promise<ConnectionSecret>;
  /** Another one than this version of it. */
  renew(named: Named, version: string): Promise<ConnectionSecret>;
  forget(): void;
}

/** Credentials as runs see them. What is kept between calls is encrypted, for at most 1 s. */
export function openSecrets({ pool, envelope, refresher }: Needs): Secrets {
  const usable = memoize(KEPT, (_key, named: Named) => findUsable(pool, named));
  const find = async (named: Named): Promise<SealedRow> => {
    const row = await usable(keyOf(named), named);
    if (row) return row;
    const details = { reason: 'not_connected', connectionId: named.connectionId };
    throw new ApiError('CONNECTION_REQUIRED', 'The connection was deleted, suspended or refused meanwhile', {
      details,
    });
  };
  const opened = (named: Named, row: DepartedRow): ConnectionSecret => {
    const owner = { orgId: named.orgId, kind: 'connection', id: named.connectionId } as const;
    const credentialJson = toOpenedCredential(envelope.open(row, owner));
    const { type, version, isRenewable: renewable, displayName, generation } = row;
    return { type, credentialJson, version, renewable, displayName, generation };
  };
  const renew = async (named: Named, version: string): Promise<ConnectionSecret> => {
    await refresher.renew({ ...named, version });
    usable.forget(keyOf(named));
    return opened(named, await find(named));
  };

  async function open(named: Named): Promise<ConnectionSecret> {
    const row = await find(named);
    if (row.hasEnded) return renew(named, row.version);
    // It is good until another one is there; what comes of asking stands in its row.
    if (row.isDue) refresher.renew({ ...named, version: row.version }).catch(() => undefined);
    return opened(named, row);
  }

  return {
    renew,
    open,
    peek: async (named) => opened(named, await find(named)),
    forget: () => usable.forget(),
    async openToEnd(named) {
      const [departed] = await findDeparted(pool, named);
      return departed ? opened(named, departed) : open(named);
    },
  };
}

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
