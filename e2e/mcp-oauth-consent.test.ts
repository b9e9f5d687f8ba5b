// Shapes: local
import { randomUUID } from 'node:crypto';
import { apiWith } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge } from './support/drawbridge.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { register, seenIn } from './support/oauth.js';
import {
  expectNoSecret,
  newEndUser,
  newScene,
  rowsOfServer,
  sayYes,
  type Scene,
  sharedStage,
  type Stage,
} from './support/oauth-stage.js';
import { newPerson, signIn } from './support/web-users.js';
import { type Shown, type Web, webOf } from './support/web.js';
import { newWorkspace } from './support/workspace-integrations.js';

const PATH = '/oauth/authorize?';

let product: Drawbridge;
let stage: Stage;
let scene: Scene;

beforeAll(async () => void ({ product, stage, scene } = await sharedStage()));

describe('a client is not authorized', () => {
  afterEach(async () => expect(await rowsOfServer(stage, scene)).toEqual({ grants: 0, tokens: 0 }));

  const query = () => scene.its.query();
  /** Returns the hidden value on the consent page, which a consent must contain. */
  const seen = async (web = stage.web, of = query()): Promise<string> => seenIn((await web.get(PATH + of)).text);
  const refused = async (asked: Promise<Shown>, status = 403): Promise<void> => {
    const shown = await asked;
    expect([shown.status, shown.to]).toEqual([status, null]);
    expectNoSecret(shown);
  };

  it.each(['null', 'https://evil.example', 'http://127.0.0.1', ''])('by a form of another site: %j', (origin) =>
    refused(sayYes(stage.web, query(), { origin })),
  );

  it('by a form without an origin', async () => {
    const cookie = [...stage.web.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const text = `decision=allow&seen=${await seen()}`;
    const answer = await apiWith(product.baseUrl, headers).send('POST', PATH + query(), { text });
    expect(answer.status).toBe(403);
    expectNoSecret(answer);
  });

  it.each<[string, () => Promise<string>]>([
    ['no page', async () => ''],
    ['a made-up page', async () => 'a'.repeat(64)],
    ['the page of another user', () => seen(webOf(product.baseUrl))],
    ['the page of another server', async () => seen(stage.web, (await newScene(stage, { name: 'Other' })).its.query())],
    [
      'the page of another client',
      async () => seen(stage.web, scene.its.query({ client_id: (await register(product.baseUrl)).body.client_id })),
    ],
  ])('by a consent to %s', async (_, come) =>
    refused(stage.web.post(PATH + query(), { decision: 'allow', seen: await come() }), 409),
  );

  it('by a consent to a server that was renamed meanwhile', async () => {
    const before = await seen();
    await product.api.patch(`${MCP_SERVERS}/${scene.serverId}`, { name: 'Payroll' });
    await refused(stage.web.post(PATH + query(), { decision: 'allow', seen: before }), 409);
  });

  it('by a GET with a decision', async () => {
    const shown = await stage.web.get(`${PATH}${query()}&decision=allow`);
    expect([shown.status, shown.to]).toEqual([200, null]);
    expectNoSecret(shown);
  });

  it.each(['', 'deny', 'ALLOW', 'allow '])('by the decision %j', async (decision) => {
    const { to } = await stage.web.post(PATH + query(), { decision });
    expect(new URL(to!).searchParams.get('error')).toBe('access_denied');
  });

  it('by a body that is not a form', () => refused(sayYes(stage.web, query(), { 'content-type': 'text/plain' }), 400));

  it.each<[string, () => Promise<Web>]>([
    ['who is not signed in', async () => webOf(product.baseUrl)],
    ['who signed out, with the previous cookie', signedOut],
    ['who is no end user of the workspace', async () => signIn(product.baseUrl, await newPerson(product.databaseUrl))],
    ['without a verified email', unproven],
    ['who matches two end users', () => twice()],
    ['who matches two end users beside a linked third one', () => twice(randomUUID())],
  ])('by a user %s', async (_, come) => refused(sayYes(await come(), query())));

  it('by a known user, for a server of another end user', async () => {
    const endUserId = await newEndUser(product.api, { workspaceId: stage.workspaceId });
    const other = await newScene(stage, { endUserId, endUserAccess: 'open' });
    await refused(sayYes(stage.web, other.its.query()));
    expect(await rowsOfServer(stage, other)).toEqual({ grants: 0, tokens: 0 });
  });

  it('by a user of another workspace', async () => {
    const other = await newScene({ ...stage, workspaceId: await newWorkspace(product.api) });
    await refused(sayYes(stage.web, other.its.query()));
  });

  async function signedOut(): Promise<Web> {
    const web = await signIn(product.baseUrl, stage.person);
    const before = new Map(web.cookies);
    expect((await web.post('/sign-out')).status).toBe(303);
    return webOf(product.baseUrl, before);
  }

  async function unproven(): Promise<Web> {
    const person = await newPerson(product.databaseUrl);
    await newEndUser(product.api, { workspaceId: stage.workspaceId, email: person.email });
    await rowsOf(product.databaseUrl, 'UPDATE members.users SET email_verified = false WHERE id = $1', [person.id]);
    return signIn(product.baseUrl, person);
  }

  /**
   * Signs in a user with two end users that have the same email address. `another` adds a third end user, which is linked to the account with this
   * id.
   */
  async function twice(another?: string): Promise<Web> {
    const person = await newPerson(product.databaseUrl);
    if (another !== undefined) {
      const id = await newEndUser(product.api, { workspaceId: stage.workspaceId, email: person.email });
      await rowsOf(product.databaseUrl, 'UPDATE connections.end_users SET user_id = $2 WHERE id = $1', [id, another]);
    }
    for (const email of [person.email, person.email.toUpperCase()])
      await newEndUser(product.api, { workspaceId: stage.workspaceId, email });
    return signIn(product.baseUrl, person);
  }
});

it('an error for a remote client is shown to the user with its redirect URI, not redirected (RFC 9700, 4.11.2)', async () => {
  const redirect_uri = 'https://app.example/back';
  const { client_id } = (await register(product.baseUrl, { redirect_uris: [redirect_uri] })).body;
  const { status, to, text } = await stage.web.get(
    PATH + scene.its.query({ client_id, redirect_uri, response_type: 'token' }),
  );
  expect([status, to]).toEqual([400, null]);
  expect(text).toContain('app.example');
  expect(text).toContain(`href="${redirect_uri}?error=unsupported_response_type`);
});

it('the consent page cannot be framed, runs no script and is not cached', async () => {
  const { headers } = await stage.web.get(PATH + scene.its.query());
  const policy = headers.get('content-security-policy')!;
  for (const part of ["default-src 'none'", "script-src 'none'", "frame-ancestors 'none'"])
    expect(policy.split('; ')).toContain(part);
  expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
});
