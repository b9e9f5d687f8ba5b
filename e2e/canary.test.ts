// Shapes: local; in full: processes
import { randomBytes } from 'node:crypto';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, apiOf } from './support/api.js';
import { type Canary, canary, encodedForms, findCanaries } from './support/canaries.js';
import { tokenCanaries } from './support/mcp-servers.js';
import { oauthCanaries, oauthStage } from './support/oauth-stage.js';
import { databaseContents, kafkaContents } from './support/stored-contents.js';
import { replyBehaviours } from './support/reply-behaviours.js';
import { ownProduct } from './support/own-product.js';
import { shared } from './support/shared.js';

const EXECUTE = '/api/v1/actions/execute';

const secrets = {
  SECRET_TEXT: canary(),
  BASIC_AUTH: canary(),
  CUSTOM_AUTH: canary(),
  OAUTH2: canary(),
  PLATFORM_OAUTH2: canary(),
} satisfies Record<string, Canary>;
type Type = keyof typeof secrets;
const types = Object.keys(secrets) as Type[];

/** Further secrets of the OAuth credentials above. An action never receives them. */
const unsent = { refreshToken: canary(), id_token: canary(), platformRefreshToken: canary() };
const internalKey = canary();
const modelKey = canary();
const masterKey = randomBytes(32);
const keys: Record<string, Canary> = {
  INTERNAL_KEY: internalKey,
  RISK_MODEL_KEY: modelKey,
  'master key': { text: '', core: masterKey.toString('base64').slice(0, -1) },
  'master key in hex': { text: '', core: masterKey.toString('hex') },
};

const credentials: Record<Type, object> = {
  SECRET_TEXT: { secretText: secrets.SECRET_TEXT.text },
  BASIC_AUTH: { username: 'ann', password: secrets.BASIC_AUTH.text },
  CUSTOM_AUTH: { props: { 'x-secret': secrets.CUSTOM_AUTH.text } },
  OAUTH2: {
    accessToken: secrets.OAUTH2.text,
    refreshToken: unsent.refreshToken.text,
    data: { id_token: unsent.id_token.text },
  },
  PLATFORM_OAUTH2: { accessToken: secrets.PLATFORM_OAUTH2.text, refreshToken: unsent.platformRefreshToken.text },
};

let provider: FakeProvider;
let product: Product;
let workspaceId: string;
/** All responses in this file except the response that creates a key, which must contain the key. */
const answers: string[] = [];

beforeAll(async () => {
  provider = await fakeProvider();
  const origins = { 'https://api.example.com': provider.url, 'https://api.github.com': provider.url };
  product = await ownProduct({
    env: {
      ORIGIN_MAP: JSON.stringify(origins),
      LOG_LEVEL: 'trace',
      INTERNAL_KEY: internalKey.text,
      RISK_MODEL_URL: `${provider.url}/v1`,
      RISK_MODEL: 'judge',
      RISK_MODEL_KEY: modelKey.core,
      MASTER_KEYS: `k1:${masterKey.toString('base64')}`,
    },
  });
  const made = await apiOf(product.baseUrl, product.key).post('/api/v1/api-keys', { name: 'Canary' });
  keys['bootstrap key'] = { text: product.key, core: product.key.slice(10) };
  keys['API key'] = { text: made.body.plainKey, core: made.body.plainKey.slice(10) };
  workspaceId = (await ask('POST', '/api/v1/workspaces', { name: 'Canary', slug: 'canary' })).body.workspace.id;
  Object.assign(keys, await tokenCanaries(apiOf(product.baseUrl, made.body.plainKey), workspaceId));
  Object.assign(keys, await oauthCanaries(await oauthStage(product, apiOf(product.baseUrl, made.body.plainKey))));
});
afterAll(() => Promise.all([product?.stop(), provider.stop()]));

async function ask(method: string, path: string, body?: unknown, text?: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const answer = await apiOf(product.baseUrl, keys['API key']!.text).send(method, path, { body, text, headers });
  answers.push(JSON.stringify([answer.status, answer.body, [...answer.headers]]));
  return answer;
}

const connection = (type: Type, more: object = {}): object => ({
  ...{ type, integrationName: 'http', externalId: type, displayName: type, scope: 'WORKSPACE', workspaceId },
  ...credentials[type],
  ...more,
});

const call = (type: Type, input: object = {}, more: object = {}): Promise<Answer> =>
  ask('POST', EXECUTE, {
    ...{ integrationName: 'http', actionName: 'send_request', workspaceId, connectionExternalId: type },
    input: { method: 'GET', url: 'https://api.example.com/', ...input },
    ...more,
  });

describe.each(types)('a credential of type %s', (type) => {
  const { text } = secrets[type];

  it('is never returned when it is stored, listed, refused or resolved', async () => {
    expect((await ask('POST', '/api/v1/connections', connection(type))).status).toBe(201);
    expect((await ask('POST', '/api/v1/connections', connection(type))).status).toBe(409);
    expect((await ask('POST', '/api/v1/connections', connection(type, { more: text }))).status).toBe(400);
    const broken = JSON.stringify(connection(type)).slice(0, -1);
    expect((await ask('POST', '/api/v1/connections', undefined, broken)).status).toBe(400);
    expect((await ask('GET', '/api/v1/connections')).status).toBe(200);
    const wanted = { integrationName: 'http', workspaceId, externalId: type };
    expect((await ask('POST', '/api/v1/connections/resolve', wanted)).status).toBe(200);
  });

  it.each(Object.keys(replyBehaviours))('is redacted when the provider %s', async (how) => {
    provider.on('*', replyBehaviours[how]!(encodedForms(text)));
    const idempotencyKey = `${type} ${how}`;
    const first = await call(type, {}, { idempotencyKey });
    const again = await call(type, { failOnError: false }, {});
    const replayed = await call(type, {}, { idempotencyKey });
    expect(replayed.body).toEqual(first.body);
    for (const { body } of [first, again]) expect(findCanaries(JSON.stringify(body), secrets)).toEqual([]);
  });

  it('is redacted where the caller itself sends it', async () => {
    provider.on('*', {});
    const body = { ...encodedForms(text), [text]: 'a key' };
    await call(type, { method: 'POST', json: body, query: { text }, headers: { 'x-mine': text } });
    await call(type, { method: 'POST', text: Object.values(body).join('\n') });
    const denied = await call(type, { url: `http://127.0.0.1:9/?token=${encodeURIComponent(text)}` });
    expect(denied.body).toMatchObject({ details: { provider: { code: 'EGRESS_DENIED' } } });
  });
});

it('a credential is redacted when a provider sends an unexpected response', async () => {
  const { text } = secrets.SECRET_TEXT;
  await ask('POST', '/api/v1/connections', connection('SECRET_TEXT', { integrationName: 'github', externalId: 'gh' }));
  const call = { integrationName: 'github', workspaceId, connectionExternalId: 'gh' };
  for (const body of ['null', '[null]', '"text"', '{', encodedForms(text)]) {
    provider.on('*', { status: 200, body, headers: { 'content-type': 'application/json' } });
    const input = { repo: 'acme/app', title: text, body: text };
    await ask('POST', EXECUTE, { ...call, actionName: 'create_issue', input });
    await ask('POST', EXECUTE, { ...call, actionName: 'list_commits', input: { repo: 'acme/app' } });
    await ask('POST', EXECUTE, { ...call, actionName: 'get_file', input: { repo: 'acme/app', path: 'a' } });
  }
});

it('the key of the risk model is redacted when the model returns it', async () => {
  const asked = { policy: { riskMode: 'model_assisted', rules: { actionCategories: ['read'] } }, context: {} };
  for (const status of [200, 401]) {
    provider.on('*', { status, body: { choices: [], error: encodedForms(modelKey.core) } });
    expect((await ask('POST', '/api/v1/approval-policies/test', asked)).body.matched).toBe(true);
  }
  expect(findCanaries(JSON.stringify(provider.requests.at(-1)), { modelKey })).toEqual(['modelKey']);
});

describe('afterwards', () => {
  const all = { ...secrets, ...unsent };

  it('the provider has received each credential, and the search finds every encoding of it', () => {
    const sent = provider.requests.map(({ headers }) => JSON.stringify(headers)).join('\n');
    expect(findCanaries(sent, secrets)).toEqual(types);
    for (const { text, core } of Object.values(all)) {
      for (const disguise of Object.values(encodedForms(text))) {
        expect({ disguise, found: findCanaries(disguise, { it: { text, core } }) }).toEqual({
          disguise,
          found: ['it'],
        });
      }
    }
  });

  it('no response contains a secret', async () => {
    await ask('GET', '/api/v1/executions?limit=100');
    await ask('GET', '/api/v1/connections');
    expect(findCanaries(answers.join('\n'), { ...all, ...keys })).toEqual([]);
    expect(answers.join('\n')).toContain('[redacted]');
  });

  it('no log line contains a secret, a key of ours or a token between services', () => {
    const logs = product.logs();
    expect(logs).toContain('"request"');
    expect(findCanaries(logs, { ...all, ...keys })).toEqual([]);
    expect(logs).not.toMatch(/eyJ[\w-]{10,}\.eyJ/);
  });

  it('no column of any table contains a secret', async () => {
    const rows = await databaseContents(product.databaseUrl);
    for (const known of ['connections.connections', 'execution.claims', 'members.api_keys', '[redacted]']) {
      expect(rows).toContain(known);
    }
    expect(findCanaries(rows, { ...all, ...keys })).toEqual([]);
  });

  // The all-in-one product without Kafka (SHAPE=local) has only the outbox tables, which the search of the tables includes.
  if (shared().shape !== 'local') {
    it('no record on Kafka contains a secret', async () => {
      const records = await kafkaContents(product);
      expect(records).toContain('action.executed');
      expect(findCanaries(records, { ...all, ...keys })).toEqual([]);
    });
  }
});
