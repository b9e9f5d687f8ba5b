import { invalid } from '@drawbridge/contracts';
import { auditEvent, inTransaction, PutAside, repeat } from '@drawbridge/events';
import {
  type ConnectionPlace,
  type LocateConnectionRequest,
  type SelectConnectionRequest,
  type VaultServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type Background, caller, type Implementation, memoize, requireInScope } from '@drawbridge/rpc';
import { refuseConnection } from './change-credential.js';
import { placeOf } from './connection-scope.js';
import { type Db } from './database.js';
import { type Parts } from './parts.js';
import { explainSelection } from './explain-selection.js';
import { KEPT, type Secrets } from './open-secrets.js';
import { obstacleTo, selectConnection, unusable } from './select-connection.js';

interface Vault {
  rpcs: Implementation<VaultServiceDefinition>;
  /** Deletes cached rows. Must be called after a change in this process, so that the next request reads the change. */
  forget(): void;
}

/** Implements the RPCs for the execution service: selects connections, decrypts credentials, and records that a provider rejected a credential. */
export function vault({ db, pool, find, used }: Parts, secrets: Secrets): Vault {
  const selections = memoize(KEPT, (_key, orgId: string, request: SelectConnectionRequest) =>
    selectConnection(find, orgId, request),
  );
  const forget = (): void => {
    selections.forget();
    secrets.forget();
  };

  return {
    rpcs: {
      async selectConnection(request) {
        const { orgId } = caller();
        const selected = await selections(keyOf(orgId, request), orgId, request);
        return selected ? { ...selected, connectionId: selected.id } : {};
      },

      explainConnection: (request) => explainSelection(find, caller().orgId, request),

      locateConnection: (request) => locateConnection(db, request),

      // Is not cached, because each execution must detect immediately that an end user was deleted.
      async identifyEndUser({ workspaceId, externalId }) {
        const where = { orgId: caller().orgId, workspaceId, externalId };
        return { endUserId: (await db.endUser.findFirst({ where, select: { id: true } }))?.id };
      },

      async openConnection({ connectionId, asItIs = false, ending = false }) {
        const named = { connectionId, orgId: caller().orgId };
        if (ending) return secrets.openToEnd(named);
        if (asItIs) return secrets.peek(named);
        const opened = await secrets.open(named);
        used.note(named);
        return opened;
      },

      renewConnection: ({ connectionId, version }) => secrets.renew({ connectionId, orgId: caller().orgId }, version),

      async refuseConnection({ workspaceId, ...request }) {
        const entry = auditEvent({ id: request.connectionId, workspaceId, reason: 'the provider rejected it' });
        const { orgId } = caller();
        return { refused: await refuseConnection(pool, { ...request, orgId }, entry).finally(forget) };
      },
    },
    forget,
  };
}

function keyOf(orgId: string, request: SelectConnectionRequest): string {
  const { integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId } = request;
  return JSON.stringify([orgId, integrationName, workspaceId, endUserId, externalId, connectionStrategy, connectionId]);
}

/**
 * Returns the workspace and the end user of a connection that a request identifies by id. Throws VALIDATION_ERROR for `connectionId` if the
 * connection does not exist or belongs to another integration, SCOPE_DENIED, and CONNECTION_REQUIRED if it cannot be used.
 */
async function locateConnection(
  db: Db,
  { integrationName, connectionId: id }: LocateConnectionRequest,
): Promise<ConnectionPlace> {
  const row = await db.connection.findFirst({ where: { id, orgId: caller().orgId } });
  const place = row && placeOf(row);
  if (row) requireInScope(place);
  if (row?.integrationName !== integrationName) {
    throw invalid({ connectionId: `the ${integrationName} connection ${id} does not exist` });
  }
  const obstacle = obstacleTo(row);
  if (obstacle) throw unusable(integrationName, { id, obstacle });
  return { workspaceId: place ?? undefined, endUserId: (row.scope === 'USER' && row.endUserId) || undefined };
}

const FLUSH_MS = 10_000;

/**
 * Writes `last_used_at` of a row at most once in five minutes. Skips locked rows instead of waiting, because the next use of the connection writes
 * the row.
 */
const NOTE = `
  UPDATE connections.connections c SET last_used_at = now()
  FROM (
    SELECT id FROM connections.connections
    JOIN unnest($1::uuid[], $2::uuid[]) AS used (used_org_id, used_id) ON org_id = used_org_id AND id = used_id
    WHERE last_used_at IS NULL OR last_used_at < now() - interval '5 minutes'
    ORDER BY id FOR NO KEY UPDATE OF connections SKIP LOCKED
  ) AS due
  WHERE c.id = due.id`;

export interface LastUsed extends Background {
  /** Records a use in memory for the next flush, so that an execution does not wait for the write. */
  note(used: { orgId: string; connectionId: string }): void;
}

/** Writes `last_used_at` of the connections that were opened since the last flush, in one statement. */
export function lastUsed({ pool, log }: Pick<Parts, 'pool' | 'log'>): LastUsed {
  let used = new Map<string, string>();
  const flush = async (aside: PutAside): Promise<void> => {
    if (used.size === 0) return;
    const rows = [...used].map(([id, orgId]) => ({ id, orgId }));
    used = new Map();
    await inTransaction(pool, (tx) =>
      aside.byHalves(tx, rows, {
        keyOf: ({ id }) => id,
        work: (some) => tx.query(NOTE, [some.map(({ orgId }) => orgId), some.map(({ id }) => id)]),
      }),
    );
  };
  const job = { name: 'recording used connections', log };
  const flushing = repeat({ ...job, everyMs: FLUSH_MS }, (_stopping, aside) => flush(aside));
  return {
    ...flushing,
    note: ({ orgId, connectionId }) => void used.set(connectionId, orgId),
    stop: async (deadline) => {
      await flushing.stop(deadline);
      await flush(new PutAside(job)).catch(() => undefined);
    },
  };
}
