import { notFound } from '@drawbridge/contracts';
import { type AppSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/app_secrets';
import { type Implementation } from '@drawbridge/rpc';
import { type PlatformApps } from './platform-apps.js';

export const appSecrets = (platform: PlatformApps): Implementation<AppSecretServiceDefinition> => ({
  async getAppWebhookSecret({ integrationName }) {
    const secret = platform.get(integrationName)?.webhookSecret;
    if (secret === undefined) throw notFound('Webhook secret of', integrationName);
    return { secret };
  },
});
