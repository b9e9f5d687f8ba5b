// Shapes: local
import { gzipSync } from 'node:zlib';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Drawbridge } from './support/drawbridge.js';
import { REDIRECT, redeem, refresh } from './support/oauth.js';
import {
  expectNoSecret,
  expectRefused,
  sayYes,
  type Scene,
  sharedStage,
  type Stage,
  statusBy,
  toPair,
} from './support/oauth-stage.js';
import { fresh } from './support/owned-resources.js';
import { provider } from './support/provider.js';

const SITE = 'https://api.example.com';
const BACK = 'https://app.example/back';

let product: Drawbridge;
/** The site that hosts the clients' metadata documents. */
let site: FakeProvider;
let stage: Stage;
let scene: Scene;

beforeAll(async () => {
  site = await provider();
  ({ product, stage, scene } = await sharedStage());
});
afterAll(() => site?.stop());

type Answering = Parameters<FakeProvider['on']>[1];

/** Returns the id of a client: the URL of its metadata document. */
function documentAt(answer: (id: string) => Answering): string {
  const path = `/clients/${fresh()}.json`;
  site.on(`GET ${path}`, answer(SITE + path));
  return SITE + path;
}

const good = (client_id: string, changes: object = {}) => ({
  ...{ client_id, client_name: 'Documented', redirect_uris: [BACK, REDIRECT], token_endpoint_auth_method: 'none' },
  ...changes,
});
const withDocument = (changes: object): string => documentAt((id) => ({ body: good(id, changes) }));
const asText = (text: (id: string) => string | Buffer, type = 'application/json', more: object = {}): string =>
  documentAt((id) => ({ body: text(id), headers: { 'content-type': type, ...more } }));
/** Responds with gzip even if the request does not accept it, as some sites do. */
const packed = (changes: object): string =>
  asText((id) => gzipSync(JSON.stringify(good(id, changes))), undefined, { 'content-encoding': 'gzip' });

async function expectShown(changes: Record<string, string>, status = 400): Promise<void> {
  for (const shown of [
    await sayYes(stage.web, scene.its.query(changes)),
    await stage.web.get(`/oauth/authorize?${scene.its.query(changes)}`),
  ]) {
    expect([shown.status, shown.to]).toEqual([status, null]);
    expectNoSecret(shown);
  }
}

describe('a client metadata document that', () => {
  it.each<[string, () => string]>([
    ['has another client_id', () => withDocument({ client_id: `${SITE}/clients/other.json` })],
    ['has no client_id', () => withDocument({ client_id: undefined })],
    ['has its client_id in another case', () => documentAt((id) => ({ body: good(id.toUpperCase()) }))],
    ['contains a secret', () => withDocument({ client_secret: 'x' })],
    ['requires client authentication', () => withDocument({ token_endpoint_auth_method: 'private_key_jwt' })],
    ['has no redirect URI', () => withDocument({ redirect_uris: [] })],
    ['has a javascript: redirect URI', () => withDocument({ redirect_uris: [REDIRECT, 'javascript:alert(1)'] })],
    ['has a data: redirect URI', () => withDocument({ redirect_uris: [REDIRECT, 'data:text/html,x'] })],
    ['has an http redirect URI', () => withDocument({ redirect_uris: [REDIRECT, 'http://app.example/'] })],
    ['has a nested list of redirect URIs', () => withDocument({ redirect_uris: [[REDIRECT]] })],
    ['does not use authorization codes', () => withDocument({ grant_types: ['client_credentials'] })],
    ['redirects', () => documentAt(() => ({ status: 302, headers: { location: `${SITE}/clients/good.json` } }))],
    ['is not found', () => documentAt(() => ({ status: 404, body: {} }))],
    ['answers 410', () => documentAt((id) => ({ status: 410, body: good(id) }))],
    ['is HTML', () => asText((id) => JSON.stringify(good(id)), 'text/html')],
    ['is a list', () => asText((id) => JSON.stringify([good(id)]))],
    ['is null', () => asText(() => 'null')],
    ['is truncated', () => asText((id) => JSON.stringify(good(id)).slice(0, -1))],
    [
      'is not UTF-8',
      () =>
        asText((id) =>
          Buffer.concat([Buffer.from(JSON.stringify(good(id)).slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]),
        ),
    ],
    ['is too large', () => withDocument({ client_name: 'x'.repeat(20_000) })],
    ['is too large once it is decompressed', () => packed({ contacts: Array(3_000).fill('a@b.c') })],
    ['is deeply nested', () => asText(() => `${'[['.repeat(2_000)}${']]'.repeat(2_000)}`)],
    [
      'has a deeply nested field',
      () =>
        asText((id) =>
          JSON.stringify(good(id)).replace(`["${BACK}"`, `[${'['.repeat(3_000)}${']'.repeat(3_000)},"${BACK}"`),
        ),
    ],
  ])('%s is refused', (_, client) => expectShown({ client_id: client() }));

  it('lists other redirect URIs permits no redirect to an unlisted one', async () => {
    const client_id = withDocument({ redirect_uris: ['https://app.example/other'] });
    await expectShown({ client_id, redirect_uri: BACK });
  });

  it('times out is fetched again later', async () => {
    const hangs = documentAt(() => ({ hang: true }));
    const shown = await stage.web.get(`/oauth/authorize?${scene.its.query({ client_id: hangs })}`);
    expect([shown.status, shown.to]).toEqual([503, null]);
    site.on(`GET ${new URL(hangs).pathname}`, { body: good(hangs) });
    expect((await stage.web.get(`/oauth/authorize?${scene.its.query({ client_id: hangs })}`)).status).toBe(200);
  });

  it('is cut off answers 503', () => expectShown({ client_id: documentAt(() => ({ reset: true })) }, 503));
});

describe('a client id is not fetched where it', () => {
  it.each([
    'http://api.example.com/client.json',
    'https://api.example.com/',
    'https://api.example.com',
    'https://api.example.com/client.json#x',
    'https://api.example.com/client.json?x',
    'https://a:b@api.example.com/client.json',
    'https://api.example.com/a/../client.json',
    'https://api.example.com/a/%2e%2e/client.json',
    'https://API.example.com/client.json',
    'https://api.example.com:443/client.json',
    `https://api.example.com/${'a'.repeat(600)}`,
    'ftp://api.example.com/client.json',
    'file:///etc/passwd',
  ])('is the invalid URL %s', async (client_id) => {
    site.on('*', { body: good(client_id) });
    const before = site.requests.length;
    await expectShown({ client_id });
    expect(site.requests.length).toBe(before);
  });

  it.each([
    'https://127.0.0.1/client.json',
    'https://127.0.0.1:5432/client.json',
    'https://localhost/client.json',
    'https://10.0.0.1/client.json',
    'https://192.168.1.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://[::ffff:7f00:1]/client.json',
    'https://[fd00::1]/client.json',
    'https://0.0.0.0/client.json',
  ])('points to a private address: %s', (client_id) => expectShown({ client_id }));
});

describe('a client with a metadata document', () => {
  const answer = async (its: Scene['its'], query: string) => new URL((await sayYes(stage.web, query)).to!).searchParams;

  it('is authorized under its id, and its tokens are bound to that id', async () => {
    const clientId = packed({});
    const its = { ...scene.its, clientId };
    const page = await stage.web.get(`/oauth/authorize?${its.query({ client_id: clientId })}`);
    expect(page.text).toContain('Documented');
    expect(page.text).toContain(clientId); // the id cannot be forged without control of the site
    const code = (await answer(its, its.query({ client_id: clientId }))).get('code')!;
    expectRefused(await redeem(product.baseUrl, scene.its, code), 400, 'invalid_grant');
    const pair = toPair(await redeem(product.baseUrl, its, code));
    expect(await statusBy(pair.access, scene)).toBe(200);
    expectRefused(await refresh(product.baseUrl, scene.its, pair.refresh), 400, 'invalid_grant');
    expect((await refresh(product.baseUrl, its, pair.refresh)).status).toBe(200);
  });

  it('keeps the document of the time of consent', async () => {
    const clientId = withDocument({});
    const its = { ...scene.its, clientId };
    const code = (await answer(its, its.query({ client_id: clientId, redirect_uri: BACK }))).get('code')!;
    const elsewhere = 'https://evil.example/back';
    site.on(`GET ${new URL(clientId).pathname}`, { body: good(clientId, { redirect_uris: [elsewhere] }) });
    expectRefused(await redeem(product.baseUrl, its, code, { redirect_uri: elsewhere }), 400, 'invalid_grant');
    toPair(await redeem(product.baseUrl, its, code, { redirect_uri: BACK }));
    await expectShown({ client_id: clientId, redirect_uri: elsewhere }); // the cached document does not contain this URI
  });

  it('has its document fetched once for concurrent requests', async () => {
    const clientId = withDocument({});
    const query = scene.its.query({ client_id: clientId });
    const shown = await Promise.all(Array.from({ length: 10 }, () => stage.web.get(`/oauth/authorize?${query}`)));
    expect(shown.map(({ status }) => status)).toEqual(shown.map(() => 200));
    expect(site.requests.filter(({ url }) => clientId.endsWith(url))).toHaveLength(1);
  });

  it('has its document fetched without cookies, credentials or a referrer', async () => {
    const clientId = withDocument({});
    await stage.web.get(`/oauth/authorize?${scene.its.query({ client_id: clientId })}`);
    const { headers } = site.requests.find(({ url }) => clientId.endsWith(url))!;
    expect(Object.keys(headers).filter((name) => /cookie|authorization|referer|forwarded/.test(name))).toEqual([]);
  });
});
