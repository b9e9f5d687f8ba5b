import { join } from 'node:path';
import { ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { VaultServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { expose, text } from '@drawbridge/rpc';
import { defineService, planFit } from '@drawbridge/service';
import { connectionLimit } from './connection-limit.js';
import { connectionRpcs } from './connections.js';
import { newClient } from './database.js';
import { envelope } from './envelope-encryption.js';
import { findCandidates } from './find-candidates.js';
import { readMasterKeys } from './master-keys.js';
import { requireMasterKeys } from './require-master-keys.js';
import { vault } from './vault.js';
import { workspaceChecks, emptyWorkspace } from './workspaces.js';

const MASTER_KEYS = {
  ...text({
    default: '',
    desc: '`id:base64key[,id:base64key…]`: the first encrypts, all decrypt. Generated into DATA_DIR.',
  }),
  isSecret: true,
  isRequired: true,
  check: (keys: string): unknown => readMasterKeys(keys),
};

/** Connections and end users: the vault. */
export const connections = defineService({
  name: 'connections',
  variables: { MASTER_KEYS },
  database: {
    client: newClient,
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    counted: [{ name: 'connections', isSuspendable: true }],
  },
  emptyWorkspace,
  async assemble({ config, network, db, pool, outbox, guard, log }) {
    const masters = readMasterKeys(config.MASTER_KEYS);
    const sealing = envelope(masters);
    await requireMasterKeys(pool, masters, sealing);
    const find = findCandidates(pool);
    const { rpcs: vaultRpcs, forget } = vault(pool, sealing, find);
    const rpcs = connectionRpcs(db, find, {
      envelope: sealing,
      workspaces: workspaceChecks(network, guard),
      findLimit: connectionLimit(network),
      outbox,
      onCommit: forget,
    });
    const fit = planFit({ pool, service: 'connections', table: 'connections', log });
    return {
      rpcs: [expose(ConnectionServiceDefinition, rpcs), expose(VaultServiceDefinition, vaultRpcs)],
      consumers: { planChanged: fit.note },
      background: [fit],
    };
  },
});
