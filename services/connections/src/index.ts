import { join } from 'node:path';
import { configuredEgress, reachedAt } from '@drawbridge/egress';
import { MAIL_VARIABLES } from '@drawbridge/mail';
import { addPieces } from '@drawbridge/pieces';
import { AppSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/app_secrets';
import { ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { OAuthAppServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import { VaultServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { expose, text } from '@drawbridge/rpc';
import { defineService, PIECES_VARIABLES, planFit } from '@drawbridge/service';
import { configuredMasterKeys, MASTER_KEY_VARIABLES } from './configured-master-keys.js';
import { connectRpcs } from './connect/connect-rpcs.js';
import { OLD_SESSIONS } from './connect/connect-sessions.js';
import { connectionRpcs } from './connections.js';
import { newClient } from './database.js';
import { people } from './end-users/people.js';
import { envelope } from './envelope-encryption.js';
import { findCandidates } from './find-candidates.js';
import { openSecrets } from './open-secrets.js';
import { requireMasterKeys } from './require-master-keys.js';
import { appSecrets } from './oauth/app-secrets.js';
import { oauthAppRpcs } from './oauth/oauth-app-rpcs.js';
import { oauthApps } from './oauth/find-oauth-app.js';
import { readPlatformApps } from './oauth/platform-apps.js';
import { forgottenRevocations, revocations } from './oauth/revocations.js';
import { connectionLimit, plans } from './plan.js';
import { idleRefresh } from './refresh/refresh-idle.js';
import { refresher } from './refresh/refresher.js';
import { vault } from './vault.js';
import { webhookRpcs } from './webhooks/webhook-rpcs.js';
import { OLD_SECRETS } from './webhooks/webhook-secrets.js';
import { workspaceChecks, emptyWorkspace } from './workspaces.js';

const OAUTH_APPS = {
  ...text({
    default: '',
    desc: 'JSON object or file: integration → {clientId, clientSecret, scopes?, webhookSecret?}, the OAuth apps that serve every organization.',
  }),
  isSecret: true,
  check: (apps: string): unknown => readPlatformApps(apps),
};

/** The vault: connections and end users. */
export const connections = defineService({
  name: 'connections',
  variables: { ...MASTER_KEY_VARIABLES, OAUTH_APPS, ...PIECES_VARIABLES, ...MAIL_VARIABLES },
  database: {
    client: newClient,
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    counted: [
      { name: 'connections', isSuspendable: true },
      { name: 'end_users', isPerWorkspace: true },
      { name: 'oauth_apps' },
      { name: 'connect_sessions' },
    ],
  },
  emptyWorkspace,
  async assemble({ config, network, db, pool, outbox, guard, log }) {
    await addPieces(config.INTEGRATIONS_DIR);
    const masters = await configuredMasterKeys(config);
    const sealing = envelope(masters);
    await requireMasterKeys(pool, masters, sealing);
    const find = findCandidates(pool);
    const egress = configuredEgress(config);
    const findPlan = plans(network);
    const platform = readPlatformApps(config.OAUTH_APPS);
    const apps = oauthApps({ pool, envelope: sealing, platform, findPlan });
    // The vault must drop its cached copy of a refreshed connection.
    const refreshing = refresher({ pool, envelope: sealing, egress, apps, log, onCommit: () => forget() });
    const idle = idleRefresh({ pool, refresher: refreshing, log });
    const secrets = openSecrets({ pool, envelope: sealing, refresher: refreshing });
    const { rpcs: vaultRpcs, forget } = vault({ db, pool, find, secrets });
    const workspaces = workspaceChecks(network, guard);
    const findLimit = connectionLimit(findPlan);
    const storing = { envelope: sealing, workspaces, findLimit, apps, outbox, onCommit: forget };
    const rpcs = connectionRpcs(db, find, storing);
    const connecting = connectRpcs({ ...storing, db, pool, egress, at: reachedAt(config) });
    const appRpcs = oauthAppRpcs({ db, outbox, envelope: sealing, workspaces, findPlan, platform });
    const revoking = revocations({ pool, envelope: sealing, egress, apps, log });
    const forgetting = forgottenRevocations({ pool, log });
    const endUsers = people({ config, db, pool, workspaces, outbox, log, onCommit: forget });
    const fit = planFit({ pool, service: 'connections', table: 'connections', log });
    return {
      rpcs: [
        expose(ConnectionServiceDefinition, rpcs),
        ...endUsers.rpcs,
        expose(OAuthAppServiceDefinition, appRpcs),
        expose(AppSecretServiceDefinition, appSecrets(platform)),
        ...connecting,
        expose(VaultServiceDefinition, vaultRpcs),
        ...webhookRpcs({ db, outbox, envelope: sealing, workspaces }),
      ],
      consumers: { planChanged: fit.note },
      background: [fit, refreshing, idle, revoking, forgetting, ...endUsers.background],
      // Open requests end with the process.
      close: async () => void egress.close(),
      expiring: [OLD_SESSIONS, OLD_SECRETS, ...endUsers.expiring],
    };
  },
});
