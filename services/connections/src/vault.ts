import { ApiError } from '@drawbridge/contracts';
import {
  type SelectConnectionRequest,
  type VaultServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller, type Implementation, memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { toOpenedCredential } from './credentials.js';
import { type Envelope, type SealedCredential } from './envelope-encryption.js';
import { type FindCandidates } from './find-candidates.js';
import { CREDENTIAL_VERSION, refuseConnection } from './refuse-connection.js';
import { selectConnection } from './select-connection.js';

/** How long a suspended or deleted connection may still open where another process changed it. */
const KEPT = { ttlMs: 1_000 };

const FIND_USABLE = `
  SELECT type, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId", ${CREDENTIAL_VERSION} AS version
  FROM connections.connections
  WHERE id = $1 AND org_id = $2 AND status = 'ACTIVE' AND suspended_at IS NULL`;

type SealedRow = SealedCredential & { type: string; version: string };

export interface Vault {
  rpcs: Implementation<VaultServiceDefinition>;
  /** After a change in this process: the next call sees it. */
  forget(): void;
}

/** The one place where credentials are decrypted. What is kept between calls is encrypted, for at most 1 s. */
export function vault(pool: Pool, envelope: Envelope, findCandidates: FindCandidates): Vault {
  const selections = memoize(KEPT, (_key, orgId: string, request: SelectConnectionRequest) =>
    selectConnection(findCandidates, orgId, request),
  );
  const secrets = memoize(KEPT, (_key, connectionId: string, orgId: string) => findUsable(pool, connectionId, orgId));
  const forget = (): void => {
    selections.forget();
    secrets.forget();
  };

  return {
    rpcs: {
      async selectConnection(request) {
        const { orgId } = caller();
        return { connectionId: await selections(keyOf(orgId, request), orgId, request) };
      },

      async openConnection({ connectionId }) {
        const { orgId } = caller();
        const row = await secrets(`${orgId} ${connectionId}`, connectionId, orgId);
        if (!row) throw goneSinceSelected(connectionId);
        const credentialJson = toOpenedCredential(envelope.open(row, { orgId, connectionId }));
        return { type: row.type, credentialJson, version: row.version };
      },

      refuseConnection: async (request) => ({
        refused: await refuseConnection(pool, caller().orgId, request).finally(forget),
      }),
    },
    forget,
  };
}

async function findUsable(
  pool: Pool,
  ...values: [connectionId: string, orgId: string]
): Promise<SealedRow | undefined> {
  const { rows } = await pool.query<SealedRow>({ name: 'find-usable-connection', text: FIND_USABLE, values });
  return rows[0];
}

function keyOf(orgId: string, request: SelectConnectionRequest): string {
  const { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId } = request;
  return JSON.stringify([orgId, integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId]);
}

function goneSinceSelected(connectionId: string): ApiError {
  const details = { reason: 'not_connected', connectionId };
  return new ApiError('CONNECTION_REQUIRED', 'The connection was deleted, suspended or refused meanwhile', { details });
}
