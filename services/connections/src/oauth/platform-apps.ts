import { readFileSync } from 'node:fs';
import { notFound } from '@drawbridge/contracts';
import { type AppSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/app_secrets';
import { type Parts } from '../parts.js';
import { type Implementation } from '@drawbridge/rpc';
import { type OAuthApp } from './choose-oauth-app.js';

/** The OAuth apps of the operator, by integration. */
export type PlatformApps = ReadonlyMap<string, OAuthApp>;

/**
 * Parses OAUTH_APPS: `{"github": {"clientId": "…", "clientSecret": "…", "scopes": ["repo"]}}`, or the path of a file with the same content.
 * `webhookSecret` is set if the provider sends events to the app. Throws an Error that names the integration and the key, but never a value, because
 * it may be a secret.
 */
export function readPlatformApps(text: string): PlatformApps {
  const written = text.trim();
  if (written === '') return new Map();
  const apps = parse(written.startsWith('{') ? written : readFile(written));
  if (!isObject(apps)) throw new Error('OAUTH_APPS: must be a JSON object');
  return new Map(Object.entries(apps).map(([integration, app]) => [integration, toApp(integration, app)]));
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Does not quote the text, because it may be the secret itself.
    throw new Error('OAUTH_APPS: is neither a JSON object nor the path of a readable file');
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error('OAUTH_APPS: must be JSON, such as {"github": {"clientId": "…", "clientSecret": "…"}}');
  }
}

function toApp(integration: string, app: unknown): OAuthApp {
  const wrong = (what: string): Error => new Error(`OAUTH_APPS: ${integration}${what}`);
  if (!isObject(app)) throw wrong(' must be an object');
  const { clientId, clientSecret, scopes, webhookSecret, ...unknown } = app;
  const texts = { clientId, clientSecret, ...(webhookSecret !== undefined && { webhookSecret }) };
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value !== 'string' || value === '') throw wrong(`.${key} must be a string`);
  }
  if (scopes !== undefined && !isTexts(scopes)) throw wrong('.scopes must be a list of strings');
  if (Object.keys(unknown).length > 0) {
    throw wrong(' has an unknown key. The known keys are clientId, clientSecret, scopes and webhookSecret');
  }
  return { id: null, ...(texts as Record<keyof typeof texts, string>), scopes };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '');
}

export const appSecrets = ({ platform }: Parts): Implementation<AppSecretServiceDefinition> => ({
  async getAppWebhookSecret({ integrationName }) {
    const secret = platform.get(integrationName)?.webhookSecret;
    if (secret === undefined) throw notFound('Webhook secret of', integrationName);
    return { secret };
  },
});
