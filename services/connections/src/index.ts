import { join } from 'node:path';
import { configuredEgress, reachedAt } from '@drawbridge/egress';
import { type RetentionRule } from '@drawbridge/events';
import { configuredMail, MAIL_VARIABLES, oldMails } from '@drawbridge/mail';
import { addPieces } from '@drawbridge/pieces';
import { AppSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/app_secrets';
import { ConnectPageServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { ConnectSessionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { DataKeyServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/data_keys';
import { EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { IdentityServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { OAuthAppServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import { PortalServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { VaultServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { WebhookSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { expose, type Service, slotMetric, text } from '@drawbridge/rpc';
import { defineService, PIECES_VARIABLES, planFit } from '@drawbridge/service';
import { connectPages } from './connect/connect-pages.js';
import { connectSessions } from './connect/connect-sessions.js';
import { connectionRpcs } from './connections.js';
import { dataKeys } from './data-keys.js';
import { newClient } from './database.js';
import { endUserMails } from './end-users/end-user-mails.js';
import { endUserRpcs } from './end-users/end-users.js';
import { portal } from './end-users/portal.js';
import { envelope } from './envelope-encryption.js';
import { findCandidates } from './find-candidates.js';
import { identities } from './identities/identities.js';
import { configuredMasterKeys, MASTER_KEY_VARIABLES } from './master-keys.js';
import { oauthApps } from './oauth/choose-oauth-app.js';
import { oauthAppRpcs } from './oauth/oauth-app-rpcs.js';
import { appSecrets, readPlatformApps } from './oauth/platform-apps.js';
import { forgottenRevocations, revocations } from './oauth/revocations.js';
import { openSecrets } from './open-secrets.js';
import { type Parts } from './parts.js';
import { idleRefresh, refreshMetrics } from './refresh/refresh-idle.js';
import { refresher } from './refresh/refresher.js';
import { requireMasterKeys } from './require-master-keys.js';
import { lastUsed, vault } from './vault.js';
import { sourceSecrets } from './webhooks/source-secrets.js';
import { webhookSecrets } from './webhooks/webhook-secrets.js';
import { colors, connectionLimit, emptyWorkspace, plans, workspaceChecks } from './workspaces.js';

const OAUTH_APPS = {
  ...text({
    default: '',
    desc: 'JSON object or file: integration → {clientId, clientSecret, scopes?, webhookSecret?}, the OAuth apps for all organizations.',
  }),
  isSecret: true,
  check: (apps: string): unknown => readPlatformApps(apps),
};

/** The service that stores connections and end users, and decrypts credentials for executions. */
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
    const egress = configuredEgress(config);
    const [findPlan, findColor] = [plans(network), colors(network)];
    const platform = readPlatformApps(config.OAUTH_APPS);
    const [mail, used] = [configuredMail(config), lastUsed({ pool, log })];
    const parts: Parts = {
      ...{ db, pool, outbox, log, egress, findPlan, findColor, platform, envelope: sealing, used },
      workspaces: workspaceChecks(network, guard),
      findLimit: connectionLimit(findPlan),
      find: findCandidates(pool),
      apps: oauthApps({ pool, envelope: sealing, platform, findPlan }),
      mails: mail && endUserMails({ db, pool, log, findColor, ...mail }),
      at: reachedAt(config),
      // Deletes cached copies, so that the next execution reads the change.
      onCommit: () => forget(),
    };
    const refreshing = refresher(parts);
    const { rpcs: vaultRpcs, forget } = vault(parts, openSecrets(parts, refreshing));
    const fit = planFit({ pool, service: 'connections', table: 'connections', log });
    const working = [idleRefresh({ ...parts, refresher: refreshing }), revocations(parts), forgottenRevocations(parts)];
    return {
      rpcs: [...rpcsOf(parts), expose(VaultServiceDefinition, vaultRpcs)],
      consumers: { planChanged: fit.note },
      background: [fit, refreshing, used, ...working, ...(parts.mails ? [parts.mails] : [])],
      metrics: [...refreshMetrics(parts), slotMetric({ service: 'connections', pool: 'egress' }, egress.load)],
      // Does not wait for open requests to providers, because the process exits.
      close: async () => void egress.close(),
      expiring: EXPIRING,
    };
  },
});

const rpcsOf = (parts: Parts): Service['rpcs'] => [
  expose(ConnectionServiceDefinition, connectionRpcs(parts)),
  expose(EndUserServiceDefinition, endUserRpcs(parts)),
  expose(PortalServiceDefinition, portal(parts)),
  expose(IdentityServiceDefinition, identities(parts)),
  expose(OAuthAppServiceDefinition, oauthAppRpcs(parts)),
  expose(AppSecretServiceDefinition, appSecrets(parts)),
  expose(ConnectSessionServiceDefinition, connectSessions(parts)),
  expose(ConnectPageServiceDefinition, connectPages(parts)),
  expose(SourceSecretServiceDefinition, sourceSecrets(parts)),
  expose(DataKeyServiceDefinition, dataKeys(parts)),
  expose(WebhookSecretServiceDefinition, webhookSecrets(parts)),
];

const EXPIRED = { key: 'id', oldest: 'expires_at', expired: 'expires_at < now()' };

export const EXPIRING: RetentionRule[] = [
  // Expired sessions are deleted after one more day, so that their creator can read the result.
  { ...EXPIRED, table: 'connections.connect_sessions', expired: "expires_at < now() - interval '1 day'" },
  { ...EXPIRED, table: 'connections.data_keys' },
  { ...EXPIRED, table: 'connections.portal_tokens' },
  { ...EXPIRED, table: 'connections.proven_origins' },
  { ...EXPIRED, table: 'connections.webhook_secrets', oldest: 'valid_until', expired: 'valid_until < now()' },
  // Rows of the last day must remain, because they count towards the limits of emails.
  oldMails({ table: 'connections.email_proofs' }),
  oldMails({ table: 'connections.sent_mails' }),
];
