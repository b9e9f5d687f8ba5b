// Shapes: local; in full: processes
import { askVendor, connectProduct, type ConnectProduct, goThere, visit } from './support/connect.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { type Shown, type Web, webOf } from './support/web.js';

let its: ConnectProduct;

/** With separate services, runs two replicas of the connections service, because the requests of one session can reach different replicas. */
beforeAll(async () => (its = await connectProduct({ replicas: { connections: 2 } })));
afterAll(() => its?.stop());

/** Follows the redirect back. Every outcome leads to a page, and its URL does not contain the provider's parameters. */
async function landed(web: Web, back: string): Promise<Shown> {
  const { status, to, headers } = await web.get(back);
  expect({ status, to }).toEqual({ status: 303, to: expect.not.stringMatching(/code=|state=/) });
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  return web.get(to!);
}

describe('the OAuth callback', () => {
  it('works only in the browser that started the attempt', async () => {
    const { opened, back } = await goThere(its);
    for (const web of [webOf(its.product.baseUrl), await visit(its.product.baseUrl, opened)]) {
      const { status, text } = await landed(web, back);
      expect({ status, isSaid: text.includes('started in another browser') }).toEqual({ status: 403, isSaid: true });
    }
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
  });

  it('refuses an unknown state and the state of an earlier attempt', async () => {
    const { opened, web, back } = await goThere(its);
    const other = back.replace(/(state=[^&]{45})./, '$1!');
    expect(await landed(web, other)).toMatchObject({
      status: 403,
      text: expect.stringContaining('newer attempt has replaced'),
    });
    const later = await askVendor(web, opened);
    expect(await landed(web, back)).toMatchObject({
      status: 403,
      text: expect.stringContaining('newer attempt has replaced'),
    });
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
    expect((await web.get(later)).status).toBe(303);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });

  it('refuses an oversized query without consuming the state', async () => {
    const { opened, web, back } = await goThere(its);
    const long = await landed(web, `${back}&more=${'x'.repeat(8_000)}`);
    expect(long).toMatchObject({ status: 400, text: expect.stringContaining('response was too large') });
    expect((await web.get(back)).to).toBe(`/connect/${opened.sessionId}`);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });

  it('fails the session where the issuer is not the expected one', async () => {
    const { opened, web, back } = await goThere(its);
    await web.get(back.replace(/iss=[^&]*/, `iss=${encodeURIComponent('https://evil.example')}`));
    const { status, error } = await its.session(opened.sessionId);
    expect({ status, error }).toEqual({ status: 'FAILED', error: expect.stringMatching(/^invalid_issuer: /) });
  });

  it('fails the session with the error code of the provider where the authorization code is unknown', async () => {
    const { opened, web, back } = await goThere(its);
    await web.get(back.replace(/code=[^&]*/, 'code=made-up'));
    const { status, error } = await its.session(opened.sessionId);
    expect({ status, error }).toEqual({ status: 'FAILED', error: expect.stringMatching(/^invalid_grant: /) });
  });

  it('redirects a replay to the outcome', async () => {
    const { opened, web, back } = await goThere(its);
    const asked = its.vendors.asked('plain');
    for (const _ of [1, 2, 3]) expect((await web.get(back)).to).toBe(`/connect/${opened.sessionId}`);
    expect(its.vendors.asked('plain')).toBe(asked + 1);
    expect((await web.get(`/connect/${opened.sessionId}`)).text).toContain('Test Plain is connected');
  });

  it('redeems the code once for concurrent requests', async () => {
    const { opened, web, back } = await goThere(its);
    its.vendors.hold('plain', { delayMs: 300 });
    const asked = its.vendors.asked('plain');
    const answers = await Promise.all(Array.from({ length: 10 }, () => web.get(back)));
    const own = `/connect/${opened.sessionId}`;
    expect(answers.map(({ status, to }) => ({ status, to }))).toEqual(answers.map(() => ({ status: 303, to: own })));
    its.vendors.hold('plain', {});
    expect(its.vendors.asked('plain')).toBe(asked + 1);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
    const { body } = await its.api.get('/api/v1/connections?limit=100');
    expect(body.connections.filter((one: any) => one.externalId === opened.externalId)).toHaveLength(1);
  });

  it('can be repeated where the token endpoint did not respond', async () => {
    const { opened, web, back } = await goThere(its);
    its.vendors.hold('plain', { status: 503 });
    expect(await landed(web, back)).toMatchObject({ status: 502, text: expect.stringContaining('did not respond') });
    its.vendors.hold('plain', {});
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
    expect((await web.get(await askVendor(web, opened))).status).toBe(303);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });

  it('is refused after the session has expired, or after half an hour', async () => {
    const [first, second] = [await goThere(its), await goThere(its)];
    const set = (column: string, id: string) =>
      rowsOf(its.product.databaseUrl, `UPDATE connections.connect_sessions SET ${column} = now() WHERE id = $1`, [id]);
    await set('asked_until', first.opened.sessionId);
    const late = await landed(first.web, first.back);
    expect(late).toMatchObject({ status: 403, text: expect.stringContaining('took too long') });
    await set('expires_at', second.opened.sessionId);
    expect(await landed(second.web, second.back)).toMatchObject({
      status: 404,
      text: expect.stringContaining('does not work'),
    });
    const { text } = await second.web.get(`/connect/${second.opened.sessionId}`);
    expect(text).toContain('does not work');
  });
});

it('a session requires an OAuth app for its integration', async () => {
  const facts = { integrationName: 'github', connectionName: 'G', externalId: 'g', workspaceId: its.workspaceId };
  expectError(await its.api.post('/api/v1/connect/token', facts), 400, 'NO_OAUTH_APP');
});

it('a session completes although the browser left during the token request', async () => {
  const { opened, web, back } = await goThere(its);
  its.vendors.hold('plain', { delayMs: 1_000 });
  const asked = its.vendors.asked('plain', 'authorization_code');
  const cookie = [...web.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const left = new AbortController();
  const gone = fetch(its.product.baseUrl + back, { headers: { cookie }, signal: left.signal }).catch(() => undefined);
  await eventually(async () => expect(its.vendors.asked('plain', 'authorization_code')).toBe(asked + 1));
  left.abort();
  await gone;
  its.vendors.hold('plain', {});
  await eventually(async () => expect(await its.session(opened.sessionId)).toMatchObject({ status: 'COMPLETED' }));
});
