import { type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from '../api.js';
import { newOrganization } from '../organizations.js';
import { ownProduct } from '../own-product.js';
import { CREDENTIALS } from './credentials.js';
import { type ThirdParty, thirdParty } from './third-party.js';

/** The duration of each load. After this time, requests without a response are aborted. */
const LOAD_MS = 8_000;

/** A product with an attacking tenant and a neighbour tenant. */
export interface Stage {
  product: Product;
  baseUrl: string;
  attacker: Api;
  workspaceId: string;
  /** Calls the provider with this connection (`plain`, `many`, `escapable`, `short`). The provider sends the response `name` of RESPONSES. */
  callThirdParty(name: string, connection?: keyof typeof CREDENTIALS, input?: object): Promise<Answer | undefined>;
  execute(body: object): Promise<Answer | undefined>;
  /** Sends a request that is aborted at the end of the load. Returns undefined without a response. */
  ask(method: string, path: string, body?: unknown): Promise<Answer | undefined>;
  neighbour: { baseUrl: string; key: string };
  stop(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const third = await thirdParty();
  const origins = { 'https://api.example.com': third.url, 'https://api.github.com': third.url };
  const env = { ORIGIN_MAP: JSON.stringify(origins), PUBLIC_RATE_LIMIT: '1000000' };
  const product = await ownProduct({ env }).catch(async (error) => {
    await third.stop();
    throw error;
  });
  return onStage(product, third);
}

async function onStage(product: Product, third: ThirdParty): Promise<Stage> {
  const { baseUrl } = product;
  const [attacker, other] = await Promise.all([
    newOrganization(product.databaseUrl),
    newOrganization(product.databaseUrl),
  ]);
  const api = apiOf(baseUrl, attacker.plainKey);
  const workspaceId = (await api.post('/api/v1/workspaces', { name: 'Attack', slug: 'attack' })).body.workspace.id;
  for (const [externalId, credential] of Object.entries(CREDENTIALS)) {
    const names = { externalId, displayName: externalId, integrationName: 'http', scope: 'WORKSPACE', workspaceId };
    const { status, body } = await api.post('/api/v1/connections', { ...credential, ...names });
    if (status !== 201) throw new Error(`The connection ${externalId} was refused: ${JSON.stringify(body)}`);
  }
  const ask: Stage['ask'] = (method, path, body) =>
    api.send(method, path, { body, signal: AbortSignal.timeout(LOAD_MS) }).catch(() => undefined);
  const execute: Stage['execute'] = (body) => ask('POST', '/api/v1/actions/execute', { workspaceId, ...body });
  return {
    product,
    baseUrl,
    attacker: api,
    workspaceId,
    ask,
    execute,
    callThirdParty: (name, connection = 'plain', input = {}) =>
      execute({
        integrationName: 'http',
        actionName: 'send_request',
        connectionExternalId: connection,
        input: { method: 'GET', url: `https://api.example.com/${name}`, timeoutSeconds: 5, ...input },
      }),
    neighbour: { baseUrl, key: other.plainKey },
    async stop() {
      await product.stop();
      await third.stop();
    },
  };
}

/** Starts `count` calls in parallel. */
export function inParallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
