import { auditEvent } from '@drawbridge/events';
import {
  type SelectConnectionRequest,
  type VaultServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller, type Implementation, memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Db } from './database.js';
import { explainSelection } from './explain-selection.js';
import { type FindCandidates } from './find-candidates.js';
import { identifyEndUser } from './identify-end-user.js';
import { locateConnection } from './locate-connection.js';
import { KEPT, type Secrets } from './open-secrets.js';
import { refuseConnection } from './refuse-connection.js';
import { selectConnection } from './select-connection.js';

export interface Vault {
  rpcs: Implementation<VaultServiceDefinition>;
  /** Call it after a change in this process, so that the next call sees the change. */
  forget(): void;
}

interface Needs {
  db: Db;
  pool: Pool;
  find: FindCandidates;
  secrets: Secrets;
}

/** Serves execution: selects the connection of a call, opens its credential, and records what the provider said about it. */
export function vault({ db, pool, find, secrets }: Needs): Vault {
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

      identifyEndUser: (request) => identifyEndUser(db, request),

      openConnection({ connectionId, asItIs = false, ending = false }) {
        const named = { connectionId, orgId: caller().orgId };
        if (ending) return secrets.openToEnd(named);
        return asItIs ? secrets.peek(named) : secrets.open(named);
      },

      renewConnection: ({ connectionId, version }) => secrets.renew({ connectionId, orgId: caller().orgId }, version),

      async refuseConnection({ workspaceId, ...request }) {
        const entry = auditEvent({ id: request.connectionId, workspaceId, reason: 'the provider refused it' });
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
