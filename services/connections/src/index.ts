import {
  type Bus,
  eventRules,
  outboxRelay,
  retention,
  subscriber,
  topicOf,
  workspaceGuard,
  workspaceRule,
} from '@drawbridge/events';
import { ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { VaultServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { expose, type Host, type Service, type Wanted } from '@drawbridge/rpc';
import { connectionRpcs } from './connections.js';
import { openConnectionsDatabase } from './database.js';
import { envelope } from './envelope-encryption.js';
import { findCandidates } from './find-candidates.js';
import { readMasterKeys } from './master-keys.js';
import { requireMasterKeys } from './require-master-keys.js';
import { vault } from './vault.js';
import { askedWorkspaces, emptyWorkspace } from './workspaces.js';

/** What it needs of the configuration in a process of its own. */
export const wanted = {
  required: ['DATABASE_URL', 'MASTER_KEYS'],
  checks: { MASTER_KEYS: readMasterKeys },
} satisfies Wanted;

/** Connections and end users: the vault. */
export async function connections({ config, network, log, bus }: Host & { bus: Bus }): Promise<Service> {
  const masters = readMasterKeys(config.MASTER_KEYS);
  const sealing = envelope(masters);
  const database = await openConnectionsDatabase(config.DATABASE_URL);
  const { db, pool } = database;
  await requireMasterKeys(pool, masters, sealing);
  const relay = outboxRelay({ pool, schema: 'connections', topic: topicOf('connections'), bus, log });
  const guard = workspaceGuard({ pool, schema: 'connections', log, empty: emptyWorkspace });
  const rules = [...eventRules('connections'), workspaceRule('connections')];
  subscriber({ bus, pool, schema: 'connections' })('members', { workspaceDeleted: guard.bury });

  const find = findCandidates(pool);
  const { rpcs: vaultRpcs, forget } = vault(pool, sealing, find);
  const rpcs = connectionRpcs(db, find, {
    envelope: sealing,
    workspaces: askedWorkspaces(network, guard),
    onCommit() {
      forget();
      relay.wake();
    },
  });
  return {
    name: 'connections',
    rpcs: [expose(ConnectionServiceDefinition, rpcs), expose(VaultServiceDefinition, vaultRpcs)],
    background: [relay, guard, retention({ pool, log, rules })],
    ready: () => database.ready(),
    close: () => database.close(),
  };
}
