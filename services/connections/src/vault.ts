import { ApiError } from '@drawbridge/contracts';
import {
  type SelectConnectionRequest,
  type VaultServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { toOpenedCredential } from './credentials.js';
import { type Envelope, type SealedCredential } from './envelope-encryption.js';
import { type FindCandidates } from './find-candidates.js';
import { expiringCache } from './expiring-cache.js';
import { CREDENTIAL_VERSION, refuseConnection } from './refuse-connection.js';
import { selectConnection } from './select-connection.js';

/** How long a suspended or deleted connection may still open where another process changed it. */
const KEPT_MS = 1_000;
const SELECTIONS = { maxSize: 16 * 1024 * 1024, ttl: KEPT_MS, sizeCalculation: weightOfSelection };
const SECRETS = { maxSize: 32 * 1024 * 1024, ttl: KEPT_MS, sizeCalculation: weightOf };

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
  const selections = expiringCache<string>(SELECTIONS);
  const secrets = expiringCache<SealedRow>(SECRETS);
  const forget = (): void => {
    selections.forget();
    secrets.forget();
  };

  return {
    rpcs: {
      async selectConnection(request) {
        const { orgId } = caller();
        const find = () => selectConnection(findCandidates, orgId, request);
        return { connectionId: await selections.find(keyOf(orgId, request), find) };
      },

      async openConnection({ connectionId }) {
        const { orgId } = caller();
        const find = () => findUsable(pool, connectionId, orgId);
        const row = await secrets.find(`${orgId} ${connectionId}`, find);
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

/** Its key holds what callers sent: an external id of 255 characters may be 1 kB. */
function weightOfSelection(connectionId: string, key: string): number {
  return 200 + 2 * (key.length + connectionId.length);
}

/** Bytes, with what the objects around the credential take. */
function weightOf({ sealed }: SealedRow): number {
  return 1_000 + sealed.length;
}
