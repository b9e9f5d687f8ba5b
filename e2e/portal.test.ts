// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { type Shown, type Web, webOf } from './support/web.js';
import { newConnection, newWorkspace } from './support/workspace-integrations.js';

const PORTAL = '/connect/portal';
const HOME = /^\/connect\/portal\/[0-9a-f-]{36}$/;

let product: Drawbridge;
let api: Api;

beforeAll(async () => {
  product = await drawbridge();
  api = product.api;
  await api.patch('/api/v1/organization', { name: 'Northwind <Traders>', color: '#0f766e' });
});

interface Person {
  id: string;
  externalId: string;
  workspaceId: string;
}

async function person(fields: object = {}): Promise<Person> {
  const workspaceId = await newWorkspace(api);
  const body = { workspaceId, externalId: fresh(), displayName: 'Ada <Lovelace>', ...fields };
  return (await api.post('/api/v1/end-users', body)).body.endUser;
}

const connect = ({ workspaceId, externalId }: Person, fields: object = {}): Promise<string> =>
  newConnection(api, { workspaceId, endUserId: externalId, scope: 'USER', ...fields });

async function link({ id }: Person, limits: object = {}): Promise<{ token: string; path: string }> {
  const { body } = await api.post(`/api/v1/end-users/${id}/connect-token`, limits);
  const { origin, pathname, search } = new URL(body.connectUrl);
  expect(origin).toBe(product.baseUrl);
  return { token: body.token, path: pathname + search };
}

/** Opens the link in a new browser. Returns the browser and the path of its page. */
async function entered(person: Person, limits?: object): Promise<{ web: Web; home: string }> {
  const web = webOf(product.baseUrl);
  const { status, to } = await web.get((await link(person, limits)).path);
  expect({ status, to }).toEqual({ status: 303, to: expect.stringMatching(HOME) });
  return { web, home: to! };
}

function expectOver({ status, text }: Shown): void {
  expect(status).toBe(401);
  expect(text).toContain('This link no longer works');
}

describe('a portal link', () => {
  it('redirects to a page without its token, which no address, page, log or cache contains', async () => {
    const ada = await person();
    const { token, path } = await link(ada);
    const web = webOf(product.baseUrl);
    const { status, to, headers, text } = await web.get(path);
    expect({ status, to }).toEqual({ status: 303, to: expect.stringMatching(HOME) });
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toMatch(/^portal-[0-9a-f-]{36}=eut_\w{46}; .*Path=\/; .*HttpOnly; SameSite=Lax$/);
    const page = await web.get(to!);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    await eventually(async () => expect(product.logs()).toContain(page.headers.get('x-request-id')));
    for (const shown of [text, page.text, product.logs()]) expect(shown).not.toContain(token);
  });

  it('works repeatedly, in every browser and at every gateway', async () => {
    const { path } = await link(await person());
    for (const baseUrl of [...product.baseUrls, ...product.baseUrls])
      expect((await webOf(baseUrl).get(path)).status).toBe(303);
  });

  it('shows nothing when it is unknown, expired or missing', async () => {
    const ada = await person();
    const { web, home } = await entered(ada);
    const other = webOf(product.baseUrl);
    for (const path of ['?token=', '?token=a&token=b', '', `/${UNKNOWN_ID}`, `/${UNKNOWN_ID}/disconnect?id=x`])
      expectOver(await other.get(PORTAL + path));
    expectOver(await other.get(home));
    expect(other.cookies.size).toBe(0);
    const over = 'UPDATE connections.portal_tokens SET expires_at = now() WHERE end_user_id = $1';
    await rowsOf(product.databaseUrl, over, [ada.id]);
    expectOver(await web.get(home));
    expect(web.cookies.size).toBe(0);
  });

  it.each<[string, (of: Person) => Promise<unknown>]>([
    ['its end user', ({ id }) => api.delete(`/api/v1/end-users/${id}`)],
    ['its workspace', ({ workspaceId }) => api.delete(`/api/v1/workspaces/${workspaceId}`)],
    ['an active workspace', ({ workspaceId }) => api.post(`/api/v1/workspaces/${workspaceId}/suspend`)],
  ])('shows nothing without %s', async (_what, end) => {
    const ada = await person();
    const connectionId = await connect(ada);
    const { token } = await link(ada);
    const first = webOf(product.baseUrl);
    const home = (await first.get(`${PORTAL}?token=${token}`)).to!;
    const browser = (): Web => webOf(product.baseUrl, new Map(first.cookies));
    expect((await browser().get(home)).status).toBe(200);
    await end(ada);
    expectOver(await browser().get(home));
    expectOver(await browser().get(`${PORTAL}?token=${token}`));
    expectOver(await browser().post(`${home}/disconnect`, { id: connectionId }));
  });
});

describe('the portal page', () => {
  it('shows only connections of the end user, and the organization', async () => {
    const ada = await person();
    await connect(ada, { displayName: 'Mine <1>' });
    await connect(ada, { displayName: 'Shared', scope: 'WORKSPACE' });
    await connect({ ...ada, externalId: 'bob' }, { displayName: "Bob's" });
    const { web, home } = await entered(ada);
    const { text } = await web.get(home);
    for (const shown of ['Mine &lt;1>', 'GitHub', 'Works', 'Ada &lt;Lovelace>', 'Northwind &lt;Traders>'])
      expect(text).toContain(shown);
    for (const hidden of ['Shared', 'Bob', 'ghp_x']) expect(text).not.toContain(hidden);
  });

  it('shows which connections cannot be used', async () => {
    const ada = await person();
    const [suspended, refused] = [await connect(ada), await connect(ada)];
    await api.post(`/api/v1/connections/${suspended}/suspend`);
    await rowsOf(product.databaseUrl, `UPDATE connections.connections SET status = 'ERROR' WHERE id = $1`, [refused]);
    const { web, home } = await entered(ada);
    const { text } = await web.get(home);
    for (const said of ['Paused', 'Must be reconnected']) expect(text).toContain(said);
    expect(text).not.toContain('Works');
  });

  it('is limited to one integration when the link is', async () => {
    const ada = await person();
    await connect(ada, { displayName: 'A GitHub' });
    const http = await connect(ada, { displayName: 'An API', integrationName: 'http' });
    const { web, home } = await entered(ada, { integrationName: 'github' });
    const { text } = await web.get(home);
    expect(text).toContain('A GitHub');
    expect(text).not.toContain('An API');
    await web.post(`${home}/disconnect`, { id: http });
    expect((await api.get(`/api/v1/connections?id=${http}`)).status).toBe(200);
  });

  it('is in the language of the browser', async () => {
    const { web, home } = await entered(await person());
    const { text } = await web.get(home, { 'accept-language': 'de' });
    expect(text).toContain('Es sind keine Konten verbunden.');
  });
});

describe('disconnecting in the portal', () => {
  it('asks first, then deletes the connection at every gateway', async () => {
    const ada = await person();
    const id = await connect(ada);
    const { web, home } = await entered(ada);
    const asked = await web.get(`${home}/disconnect?id=${id}`);
    expect(asked.text).toContain('Disconnect GitHub?');
    expect((await api.get(`/api/v1/connections?id=${id}`)).status).toBe(200);
    for (const _twice of [1, 2]) expect((await web.post(`${home}/disconnect`, { id })).to).toBe(`${home}?done`);
    for (const baseUrl of product.baseUrls)
      expectError(await apiOf(baseUrl, product.key).get(`/api/v1/connections?id=${id}`), 404, 'NOT_FOUND');
    expect((await web.get(`${home}?done`)).text).toContain('Disconnected.');
    expect((await web.get(`${home}/disconnect?id=${id}`)).to).toBe(home);
    await eventually(async () => {
      const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id}&action=connection.delete`)).body;
      expect(entries).toMatchObject([{ actor: { type: 'system' }, reason: `by end user ${ada.externalId}` }]);
    });
  });

  it('ignores connections of others', async () => {
    const [ada, bob] = [await person(), await person()];
    const others = [await connect(bob), await connect(ada, { scope: 'WORKSPACE' })];
    const { web, home } = await entered(ada);
    for (const id of [...others, UNKNOWN_ID]) {
      expect((await web.get(`${home}/disconnect?id=${id}`)).to).toBe(home);
      await web.post(`${home}/disconnect`, { id });
    }
    for (const id of others) expect((await api.get(`/api/v1/connections?id=${id}`)).status).toBe(200);
  });

  it('is refused for a form of another site', async () => {
    const ada = await person();
    const id = await connect(ada);
    const { web, home } = await entered(ada);
    for (const origin of ['https://evil.example', 'null']) {
      expect((await web.post(`${home}/disconnect`, { id }, { origin })).status).toBe(403);
    }
    expect((await api.get(`/api/v1/connections?id=${id}`)).status).toBe(200);
  });
});
