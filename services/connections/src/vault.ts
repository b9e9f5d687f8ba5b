import { ApiError } from '@drawbridge/contracts';
import {
  type SelectConnectionRequest,
  type VaultServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller, type Implementation } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Pool } from 'pg';
import { toOpenedCredential } from './credentials.js';
import { type Envelope, type Sealed } from './envelope-encryption.js';
import { type FindCandidates } from './find-candidates.js';
import { selectConnection } from './select-connection.js';

/** How long a suspended or deleted connection may still open where another process changed it. */
const KEPT_MS = 1_000;
const SELECTIONS = { max: 20_000, ttl: KEPT_MS };
const SECRETS = { maxSize: 32 * 1024 * 1024, ttl: KEPT_MS, sizeCalculation: weightOf };

const FIND_USABLE = `
  SELECT type, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId" FROM connections
  WHERE id = $1 AND org_id = $2 AND status = 'ACTIVE' AND suspended_at IS NULL`;

type SealedRow = Sealed & { type: string };

export interface Vault {
  rpcs: Implementation<VaultServiceDefinition>;
  /** After a change in this process: the next call sees it. */
  forget(): void;
}

/** The one place where credentials are decrypted. What is kept between calls is encrypted, for at most 1 s. */
export function vault(pool: Pool, envelope: Envelope, find: FindCandidates): Vault {
  const selections = new LRUCache<string, string>(SELECTIONS);
  const secrets = new LRUCache<string, SealedRow>(SECRETS);

  const findUsable = async (orgId: string, connectionId: string): Promise<SealedRow | undefined> => {
    const key = `${orgId} ${connectionId}`;
    const kept = secrets.get(key);
    if (kept) return kept;
    const start = performance.now();
    const values = [connectionId, orgId];
    const { rows } = await pool.query<SealedRow>({ name: 'find-usable-connection', text: FIND_USABLE, values });
    if (rows[0]) secrets.set(key, rows[0], { start });
    return rows[0];
  };

  return {
    rpcs: {
      async selectConnection(request) {
        const { orgId } = caller();
        const key = keyOf(orgId, request);
        const kept = selections.get(key);
        if (kept) return { connectionId: kept };
        const start = performance.now();
        const connectionId = await selectConnection(find, orgId, request);
        if (connectionId) selections.set(key, connectionId, { start });
        return { connectionId };
      },

      async openConnection({ connectionId }) {
        const { orgId } = caller();
        const row = await findUsable(orgId, connectionId);
        if (!row) throw goneSinceSelected(connectionId);
        return { type: row.type, credentialJson: toOpenedCredential(envelope.open(row, { orgId, connectionId })) };
      },
    },
    forget() {
      selections.clear();
      secrets.clear();
    },
  };
}

function keyOf(orgId: string, request: SelectConnectionRequest): string {
  const { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId } = request;
  return JSON.stringify([orgId, integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId]);
}

function goneSinceSelected(connectionId: string): ApiError {
  const details = { reason: 'not_connected', connectionId };
  return new ApiError('CONNECTION_REQUIRED', 'The connection was deleted, suspended or refused meanwhile', { details });
}

/** Bytes, with what the objects around the credential take. */
function weightOf({ sealed }: SealedRow): number {
  return 1_000 + sealed.length;
}
