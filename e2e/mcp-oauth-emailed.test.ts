// Shapes: local
import { apiWith } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type EmailedCodes, emailedCodes } from './support/emailed-codes.js';
import { redeem, register } from './support/oauth.js';
import { expectNoSecret, sayYes, type Scene, statusBy, toPair } from './support/oauth-stage.js';
import { fresh } from './support/owned-resources.js';
import { databaseContents } from './support/stored-contents.js';
import { type Web } from './support/web.js';

/** The public URL with a proxy that removes the folder from the path. */
const SITE = { origin: 'http://bridge.example', folder: '/in/a/folder' };
const BASE_URL = SITE.origin + SITE.folder;

let its: EmailedCodes;
let web: Web;

beforeAll(async () => void (its = await emailedCodes(BASE_URL)));
beforeEach(() => void (web = its.browser()));
afterAll(() => its?.stop());

/** Requests a code in this browser. Returns the email address and the code. */
async function requested(at = its.scene): Promise<{ email: string; code: string }> {
  const email = await its.person();
  expect((await its.ask(web, email, at)).status).toBe(303);
  return { email, code: await its.codeOf(email) };
}

const over = (email: string): Promise<object[]> =>
  rowsOf(its.product.databaseUrl, `UPDATE connections.email_proofs SET expires_at = now() WHERE email = $1`, [email]);

/** Expects that a code is rejected: the page requests a code again, and does not accept a consent. */
async function expectRefusedCode(code: string, by = web, at = its.scene): Promise<void> {
  const { status, to } = await its.enter(by, code, at);
  expect([status, to]).toEqual([400, null]);
  await expectNoConsent(by, at);
}

async function expectNoConsent(by = web, at = its.scene): Promise<void> {
  const shown = await sayYes(by, at.its.query());
  expect([shown.status, shown.to]).toEqual([403, null]);
  expectNoSecret(shown);
}

describe('a user without an account', () => {
  it('authorizes a client with a mailed code, as the end user with that email', async () => {
    const { email, code } = await requested();
    const { status, to } = await its.enter(web, code.replace(' ', ''));
    expect([status, to]).toEqual([303, `${SITE.folder}/oauth/authorize?${its.scene.its.query()}`]);
    const params = new URL((await sayYes(web, its.scene.its.query())).to!).searchParams;
    expect(params.get('iss')).toBe(BASE_URL);
    const { access } = toPair(await redeem(its.product.baseUrl, its.scene.its, params.get('code')!));
    expect(await statusBy(access, at(its.scene))).toBe(200);
    const sql = `SELECT e.email FROM mcp.tokens t JOIN connections.end_users e ON e.id = t.end_user_record_id
      WHERE t.server_id = $1 ORDER BY t.created_at DESC LIMIT 1`;
    expect(await rowsOf(its.product.databaseUrl, sql, [its.scene.serverId])).toEqual([{ email }]);
  });

  it('receives the mail in German for a German browser', async () => {
    const email = (await its.person()).toUpperCase();
    await its.ask(web, email, its.scene, { 'accept-language': 'de' });
    await its.codeOf(email.toLowerCase());
    expect(its.mailsTo(email.toLowerCase())[0]!.text).toContain('geben Sie diesen Code ein');
  });

  it('has five tries for a code, and can then request another', async () => {
    const { email, code } = await requested();
    for (let n = 0; n < 5; n++) await expectRefusedCode(`0000 000${n}`);
    await expectRefusedCode(code);
    await its.ask(web, email);
    expect((await its.enter(web, await its.codeOf(email, 2))).status).toBe(303);
  });

  it('has five tries also for concurrent requests', async () => {
    const { code } = await requested();
    await Promise.all(Array.from({ length: 20 }, (_, n) => its.enter(web, String(10_000_000 + n))));
    await expectRefusedCode(code);
  });

  it('is unverified ten minutes after the code was sent or entered', async () => {
    const { email, code } = await requested();
    await over(email);
    await expectRefusedCode(code);
    await its.ask(web, email);
    expect((await its.enter(web, await its.codeOf(email, 2))).status).toBe(303);
    await over(email);
    await expectNoConsent();
  });

  it('is verified in one browser and for one server only', async () => {
    const { code } = await requested();
    const other = await its.newScene();
    await expectRefusedCode(code, its.browser());
    await expectRefusedCode(code, web, other);
    expect((await its.enter(web, code)).status).toBe(303);
    await expectNoConsent(web, other);
    await expectRefusedCode(code, its.browser());
    expect((await its.enter(web, code)).status).toBe(400); // a code works once
  });

  it('can use only the newest code', async () => {
    const { email, code } = await requested();
    await its.ask(web, email);
    const next = await its.codeOf(email, 2);
    await expectRefusedCode(code);
    expect((await its.enter(web, next)).status).toBe(303);
  });

  it('is unverified once the end user is deleted', async () => {
    const { email, code } = await requested();
    expect((await its.enter(web, code)).status).toBe(303);
    const [row] = await rowsOf<{ id: string }>(
      its.product.databaseUrl,
      'SELECT id FROM connections.end_users WHERE email = $1',
      [email],
    );
    await its.api.delete(`/api/v1/end-users/${row!.id}`);
    await expectNoConsent();
  });
});

describe('the form that requests a code', () => {
  it('answers the same for an unknown and an ambiguous email, and sends them no mail', async () => {
    const unknown = `${fresh()}@example.com`;
    const twice = await its.person();
    await its.person({ email: twice.toUpperCase() });
    const answers = await Promise.all(
      [unknown, twice].map(async (email) => {
        const { status, to, text } = await its.ask(its.browser(), email);
        return [status, to, text];
      }),
    );
    const { email } = await requested();
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(its.mailsTo(email)).toHaveLength(1);
    for (const email of [unknown, twice]) expect(its.mailsTo(email)).toEqual([]);
  });

  it('is refused from another site', async () => {
    const email = await its.person();
    const headers = { origin: 'https://evil.example' };
    expect((await its.ask(web, email, its.scene, headers)).status).toBe(403);
    const entered = await web.post(`/oauth/authorize/code?${its.scene.its.query()}`, { code: '00000000' }, headers);
    expect(entered.status).toBe(403);
  });

  it.each(['', 'ada', 'ada@', 'a\r\nb@example.com', 'a@b.example, c@d.example'])('refuses %j', async (email) => {
    expect((await its.ask(web, email)).status).toBe(400);
  });
});

describe('behind a proxy that strips a folder from the path', () => {
  const get = (path: string) => apiWith(its.product.baseUrl, {}).get(path);
  const path = () => new URL(its.scene.mcpEndpoint).pathname.replace(SITE.folder, '');

  it('every URL contains the folder, and every document is served with and without it', async () => {
    const wellKnown = '/.well-known/oauth-protected-resource';
    for (const place of [`${wellKnown}${SITE.folder}${path()}`, wellKnown + path(), path() + wellKnown])
      expect((await get(place)).body).toMatchObject({ resource: BASE_URL + path(), authorization_servers: [BASE_URL] });
    for (const name of ['oauth-authorization-server', 'openid-configuration'])
      for (const place of [`/.well-known/${name}${SITE.folder}`, `/.well-known/${name}`])
        expect((await get(place)).body).toMatchObject({ issuer: BASE_URL, token_endpoint: `${BASE_URL}/oauth/token` });
    const { headers } = await apiWith(its.product.baseUrl, {}).post(path(), {});
    expect(headers.get('www-authenticate')).toContain(`="${SITE.origin}${wellKnown}${SITE.folder}${path()}"`);
  });
});

it('a code appears only in its mail', async () => {
  const { email, code } = await requested();
  await its.enter(web, code);
  const plain = new RegExp(`(?<![0-9a-f])${code.replace(' ', ' ?')}(?![0-9a-f])`);
  const audit = JSON.stringify((await its.api.get('/api/v1/audit-log?limit=100')).body);
  const kept = await databaseContents(its.product.databaseUrl);
  expect(kept).toContain(email);
  expect(audit).toContain('mcp_server.authorize');
  for (const text of [kept, its.product.logs(), audit]) expect(text).not.toMatch(plain);
});

it('the oldest unused client is deleted when there are too many', async () => {
  const [unused, used] = [await its.newScene(), await its.newScene()];
  await its.enter(web, (await requested(used)).code, used);
  expect((await sayYes(web, used.its.query())).status).toBe(303);
  // Simulates enough later registrations to fill all slots.
  const places = `SELECT setval('mcp.oauth_client_places', last_value + 99998) FROM mcp.oauth_client_places`;
  await rowsOf(its.product.databaseUrl, places);
  for (const _ of [unused, used]) await register(its.product.baseUrl);
  const answers = [unused, used].map(async (one) => (await web.get(`/oauth/authorize?${one.its.query()}`)).status);
  expect(await Promise.all(answers)).toEqual([400, 200]);
});

/** Replaces the public URL with the URL to which the proxy forwards. */
const at = (one: Scene) => ({ ...one, mcpEndpoint: one.mcpEndpoint.replace(BASE_URL, its.product.baseUrl) });
