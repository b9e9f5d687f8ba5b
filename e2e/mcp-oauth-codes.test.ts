// Shapes: local
import { createHash } from 'node:crypto';
import { type Answer, apiWith, misspelt, type Sent } from './support/api.js';
import { type Drawbridge } from './support/drawbridge.js';
import { UNKNOWN_ID } from './support/expect.js';
import { REDIRECT, redeem, refresh } from './support/oauth.js';
import {
  age,
  expectRefused,
  newCode,
  newScene,
  rowsOfServer,
  type Scene,
  sharedStage,
  type Stage,
  statusBy,
  toPair,
} from './support/oauth-stage.js';

const PATH = '/oauth/token';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let product: Drawbridge;
let stage: Stage;
/** Two MCP servers, each with an OAuth client that requests access. */
let scene: Scene;
let other: Scene;

beforeAll(async () => void ({ product, stage, scene: other } = await sharedStage()));
beforeEach(async () => void (scene = await newScene(stage)));

type Changes = Record<string, string | undefined>;
const encoded = (fields: Changes): string =>
  new URLSearchParams(Object.entries(fields) as [string, string][]).toString();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

describe('a code is not redeemed', () => {
  it.each<[string, () => Changes, string]>([
    ['with another verifier', () => ({ code_verifier: 'v'.repeat(43) }), 'invalid_grant'],
    ['with the challenge as verifier', () => ({ code_verifier: sha256(scene.its.verifier) }), 'invalid_grant'],
    ['with a changed letter in the verifier', () => ({ code_verifier: misspelt(scene.its.verifier) }), 'invalid_grant'],
    ['without a verifier', () => ({ code_verifier: undefined }), 'invalid_request'],
    ['with an empty verifier', () => ({ code_verifier: '' }), 'invalid_request'],
    ['with a short verifier', () => ({ code_verifier: 'v'.repeat(42) }), 'invalid_request'],
    ['with a long verifier', () => ({ code_verifier: 'v'.repeat(129) }), 'invalid_request'],
    ['by another client', () => ({ client_id: other.its.clientId }), 'invalid_grant'],
    ['without a client', () => ({ client_id: undefined }), 'invalid_request'],
    ['with another redirect URI', () => ({ redirect_uri: 'https://evil.example/' }), 'invalid_grant'],
    ['with another port', () => ({ redirect_uri: REDIRECT.replace('7777', '7778') }), 'invalid_grant'],
    ['without a redirect URI', () => ({ redirect_uri: undefined }), 'invalid_request'],
    ['for another server', () => ({ resource: other.mcpEndpoint }), 'invalid_target'],
    ['for a resource of another site', () => ({ resource: 'https://elsewhere.example/' }), 'invalid_target'],
    ['that was never issued', () => ({ code: `mcpc_${'a'.repeat(46)}` }), 'invalid_grant'],
    ['that is malformed', () => ({ code: 'a\0b' }), 'invalid_request'],
    ['that is missing', () => ({ code: undefined }), 'invalid_request'],
    ['that is too long', () => ({ code: 'x'.repeat(5_000) }), 'invalid_request'],
    ['as a refresh token', () => ({ grant_type: 'refresh_token' }), 'invalid_request'],
    ['without a grant type', () => ({ grant_type: undefined }), 'invalid_request'],
    ['with the grant type password', () => ({ grant_type: 'password' }), 'unsupported_grant_type'],
    ['with the grant type client_credentials', () => ({ grant_type: 'client_credentials' }), 'unsupported_grant_type'],
    [
      'with the name of an object property as grant type',
      () => ({ grant_type: 'constructor' }),
      'unsupported_grant_type',
    ],
  ])('%s', async (_, changes, error) => {
    expectRefused(await redeem(product.baseUrl, scene.its, await newCode(stage, scene), changes()), 400, error);
    expect(await rowsOfServer(stage, scene)).toMatchObject({ tokens: 0 });
  });

  it('by an unknown client, which must register again', async () => {
    const answer = await redeem(product.baseUrl, scene.its, await newCode(stage, scene), { client_id: UNKNOWN_ID });
    expectRefused(answer, 401, 'invalid_client');
    expect(await rowsOfServer(stage, scene)).toMatchObject({ tokens: 0 });
  });

  it.each<[string, Changes | undefined, Record<string, string>]>([
    ['a client secret', { client_secret: 'x' }, {}],
    ['a client assertion', { client_assertion: 'e30.e30.' }, {}],
    ['basic authentication', undefined, { authorization: `Basic ${btoa('client:x')}` }],
    ['a bearer token', undefined, { authorization: 'Bearer mcpo_x' }],
  ])('with %s', async (_, more, headers) => {
    const text = encoded({ ...good(await newCode(stage, scene)), ...more });
    const answer = await send('POST', PATH, { text, headers: { ...FORM, ...headers } });
    expectRefused(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).not.toBeNull();
  });

  it.each<[string, (text: string) => [string, string, Sent], number]>([
    ['in the query of a GET', (text) => ['GET', `${PATH}?${text}`, {}], 405],
    ['in the query of a POST', (text) => ['POST', `${PATH}?${text}`, { text: '', headers: FORM }], 400],
    ['by another method', (text) => ['PUT', PATH, { text, headers: FORM }], 405],
    ['in JSON', (text) => ['POST', PATH, { body: Object.fromEntries(new URLSearchParams(text)) }], 400],
    ['as plain text', (text) => ['POST', PATH, { text, headers: { 'content-type': 'text/plain' } }], 400],
    ['twice in one form', (text) => ['POST', PATH, { text: `${text}&${text}`, headers: FORM }], 400],
    ['with two resources', (text) => ['POST', PATH, { text: `${text}&resource=a&resource=b`, headers: FORM }], 400],
    [
      'with an oversized body',
      (text) => ['POST', PATH, { text: `${text}&x=${'x'.repeat(40_000)}`, headers: FORM }],
      413,
    ],
  ])('that is sent %s', async (_, how, status) => {
    expectRefused(await send(...how(encoded(good(await newCode(stage, scene))))), status, 'invalid_request');
    expect(await rowsOfServer(stage, scene)).toMatchObject({ tokens: 0 });
  });

  it('more than a minute after it was issued', async () => {
    const code = await newCode(stage, scene);
    await age(stage, scene, 'code', '61 s');
    expectRefused(await redeem(product.baseUrl, scene.its, code), 400, 'invalid_grant');
  });

  it('a second time, which revokes the first tokens', async () => {
    const code = await newCode(stage, scene);
    const pair = toPair(await redeem(product.baseUrl, scene.its, code));
    expect(await statusBy(pair.access, scene)).toBe(200);
    expectRefused(await redeem(product.baseUrl, scene.its, code), 400, 'invalid_grant');
    expect(await statusBy(pair.access, scene)).toBe(401);
    expectRefused(await refresh(product.baseUrl, scene.its, pair.refresh), 400, 'invalid_grant');
    expect(await rowsOfServer(stage, scene)).toEqual({ grants: 0, tokens: 0 });
  });

  it('a second time with a wrong verifier or client, which revokes nothing', async () => {
    const code = await newCode(stage, scene);
    const pair = toPair(await redeem(product.baseUrl, scene.its, code));
    for (const changes of [{ code_verifier: 'v'.repeat(43) }, { client_id: other.its.clientId }])
      expectRefused(await redeem(product.baseUrl, scene.its, code, changes), 400, 'invalid_grant');
    expect(await statusBy(pair.access, scene)).toBe(200);
    expect((await refresh(product.baseUrl, scene.its, pair.refresh)).status).toBe(200);
  });

  const send = (...asked: [string, string, Sent]): Promise<Answer> => apiWith(product.baseUrl, {}).send(...asked);
  const good = (code: string): Changes => ({
    ...{ grant_type: 'authorization_code', code, client_id: scene.its.clientId },
    ...{ redirect_uri: REDIRECT, code_verifier: scene.its.verifier },
  });
});
