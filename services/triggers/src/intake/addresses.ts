import { ApiError, invalid } from '@drawbridge/contracts';
import { readJson, type WebhookRequest } from '@drawbridge/piece-kit';
import { type AppSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/app_secrets';
import { type Client, memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Source } from '../gen/prisma/client.js';
import {
  type OpenedSecrets,
  readSecrets,
  replaceSecrets,
  type SourceSecrets,
  type Vault,
} from '../secrets/source-secrets.js';
import {
  type AppTrigger,
  appTriggers,
  findInbound,
  type InboundTrigger,
  MAX_ROUTES,
  routesOf,
} from '../sources/find-trigger.js';
import { sharesWebhook } from '../sources/shared-webhooks.js';
import { storeForApp, storeForSources } from './inbound-requests.js';

/** A webhook address that a provider sends events to. */
export interface Address {
  /** The triggers that verify requests with their code. */
  triggers: InboundTrigger[];
  /** Returns the signing secret. `again` bypasses the long-lived cache, because the secret may have been replaced. */
  secret(again?: boolean): Promise<string>;
  /** The URL that was registered at the provider. */
  webhookUrl: string;
  /**
   * Stores the signing secret that the provider sent in a handshake, and returns true. Returns false without storing it if the trigger is already
   * enabled, or already has a secret from the provider.
   */
  choose(secret: string): Promise<boolean>;
  /**
   * The sources of the address. Several sources can share a webhook. Undefined for the address of an app, because its sources are determined later
   * from the request.
   */
  places?: Place[];
  /** Stores a request for these sources. Returns false if all are disabled. Throws VALIDATION_ERROR for a request to an app that cannot be read. */
  store(request: WebhookRequest, places: readonly Place[]): Promise<boolean>;
}

export type Place = Pick<Source, 'id' | 'orgId' | 'workspaceId'>;

interface AddressParts {
  pool: Pool;
  secrets: OpenedSecrets;
  vault: Vault;
  /** The public URL of the gateway. */
  gatewayUrl: string;
  apps: Pick<Client<AppSecretServiceDefinition>, 'getAppWebhookSecret'>;
}

/** Finds a webhook address by its path. Without a hookId, returns the single address of the app. */
export type FindAddress = (integrationName: string, hookId: string | undefined) => Promise<Address | undefined>;

/** Cache of sources by hookId. A cached source may have been disabled, so storing a request checks it again. */
const FOUND = { ttlMs: 1_000, max: 5_000 };
const APPS = { ttlMs: 60_000, max: 1_000 };
/** Cache of integrations without an app secret, because requests that carry no key must not each cost a call of another service. */
const APPS_WITHOUT = { ttlMs: 1_000, max: 1_000 };

const FIND = {
  name: 'find-hook',
  text: `SELECT id, org_id AS "orgId", workspace_id AS "workspaceId", integration_name AS "integrationName", trigger_name AS "triggerName", webhook_url AS "webhookUrl", connection_id AS "connectionId"
    FROM triggers.sources WHERE hook_id = $1 AND status <> 'disabling' AND NOT simulate ORDER BY status = 'enabling', created_at`,
};

type Found = Place & Pick<Source, 'integrationName' | 'triggerName' | 'webhookUrl' | 'connectionId'>;

const IS_ENABLING = `SELECT FROM triggers.sources WHERE id = $1 AND org_id = $2 AND status = 'enabling'`;

export function addresses({ pool, secrets, vault, gatewayUrl, apps }: AddressParts): FindAddress {
  const look = async (hookId: string): Promise<Found[]> =>
    (await pool.query<Found>({ ...FIND, values: [hookId] })).rows;
  const known = memoize(FOUND, look);
  const store = storeForSources(pool);
  const findAppSecret = memoize(APPS, async (integrationName) =>
    apps.getAppWebhookSecret({ integrationName }).then(({ secret }) => secret, unlessAbsent),
  );
  const findIfAny = memoize(APPS_WITHOUT, async (name) => ({ secret: await findAppSecret(name) }));

  async function findApp(integrationName: string): Promise<Address | undefined> {
    const triggers = appTriggers(integrationName);
    const { secret } = triggers.length === 0 ? {} : await findIfAny(integrationName);
    if (secret === undefined) return undefined;
    const store = async (request: WebhookRequest): Promise<boolean> => {
      requireRoutable(triggers, request);
      return storeForApp(pool, integrationName, request);
    };
    const webhookUrl = `${gatewayUrl}/api/v1/webhooks/${integrationName}/app`;
    return { triggers, webhookUrl, secret: async () => secret, choose: async () => false, store };
  }

  return async (integrationName, hookId) => {
    if (hookId === undefined) return findApp(integrationName);
    const found = (await known(hookId)).filter((source) => source.integrationName === integrationName);
    const isShared = found.some(({ triggerName }) => sharesWebhook(findInbound(integrationName, triggerName)));
    // Reads the sources without the cache, so that a source that just joined the webhook receives the next request.
    const places = isShared ? await look(hookId) : found;
    const triggers = places.flatMap(({ triggerName }) => findInbound(integrationName, triggerName) ?? []);
    const [first] = places;
    if (!first || triggers.length === 0 || triggers.some(({ kind }) => kind !== 'webhook')) return undefined;
    return {
      triggers: [...new Set(triggers)],
      places,
      webhookUrl: first.webhookUrl ?? '',
      choose: async (secret) => !isShared && choose({ pool, vault }, first, secret),
      // Sources that share a webhook have the same secret.
      secret: async (again) => signedWith(await secrets[again ? 'reopen' : 'open'](first)),
      store: (request, these) => store(these, request),
    };
  };
}

/** Stores the secret that the provider chose, if the trigger is being enabled and has none. */
async function choose(
  { pool, vault }: Pick<AddressParts, 'pool' | 'vault'>,
  source: Found,
  providerSecret: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(IS_ENABLING, [source.id, source.orgId]);
  const known = rowCount === 0 ? undefined : await readSecrets(vault, source);
  if (!known || known.providerSecret !== undefined) return false;
  await replaceSecrets(vault, source, { ...known, providerSecret });
  return true;
}

/**
 * Throws VALIDATION_ERROR for a request that is not JSON and contains no route key (the id of an installation). It belongs to no organization, so it
 * could not be stored as a dead letter. JSON without a route key is accepted, because its installation may just not be connected. Also throws if a
 * request concerns too many accounts, because the provider can send it in parts.
 */
function requireRoutable(triggers: readonly AppTrigger[], request: WebhookRequest): void {
  const many = countRoutes(triggers, request);
  if (many > MAX_ROUTES) throw invalid({ body: `concerns ${many} accounts; at most ${MAX_ROUTES} are allowed` });
  if (many > 0 || readJson(request)) return;
  throw invalid({ body: 'cannot be read: the events of this app must be JSON' });
}

function countRoutes(triggers: readonly AppTrigger[], request: WebhookRequest): number {
  try {
    return routesOf(triggers, request).keys.length;
  } catch {
    return 0;
  }
}

/** Returns the signing secret. A secret that the provider chose takes precedence. */
function signedWith({ providerSecret, hookSecret }: SourceSecrets): string {
  return providerSecret ?? hookSecret;
}

function unlessAbsent(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
  throw error;
}
