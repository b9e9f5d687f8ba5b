// Shapes: local, processes
import { askVendor, connectProduct, type ConnectProduct, goThere, visit } from './support/connect.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { type Shown, type Web, webOf } from './support/web.js';

let its: ConnectProduct;

/** Two replicas of connections in the shape `processes`. */
beforeAll(async () => (its = await connectProduct({}, { replicas: { connections: 2 } })));
afterAll(() => its?.stop());

/** Follows the redirect back. Every outcome leads to a page whose URL does not contain the provider's parameters. */
async function landed(web: Web, back: string): Promise<Shown> {
  const { status, to, headers } = await web.get(back);
  expect({ status, to }).toEqual({ status: 303, to: expect.not.stringMatching(/code=|state=/) });
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  return web.get(to!);
}

describe('the way back', () => {
  it('is open to the browser that was sent alone', async () => {
    const { opened, back } = await goThere(its);
    for (const web of [webOf(its.product.baseUrl), await visit(its.product.baseUrl, opened)]) {
      const { status, text } = await landed(web, back);
      expect({ status, isSaid: text.includes('started in another browser') }).toEqual({ status: 403, isSaid: true });
    }
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
  });

  it('is not taken with another state, nor with that of an earlier attempt', async () => {
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

  it('is not taken with more than can be read, of which a part would be refused for good', async () => {
    const { opened, web, back } = await goThere(its);
    const long = await landed(web, `${back}&more=${'x'.repeat(8_000)}`);
    expect(long).toMatchObject({ status: 400, text: expect.stringContaining('response was too large') });
    expect((await web.get(back)).to).toBe(`/connect/${opened.sessionId}`);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });

  it('ends the session where somebody else answers than who was asked', async () => {
    const { opened, web, back } = await goThere(its);
    await web.get(back.replace(/iss=[^&]*/, `iss=${encodeURIComponent('https://evil.example')}`));
    const { status, error } = await its.session(opened.sessionId);
    expect({ status, error }).toEqual({ status: 'FAILED', error: expect.stringMatching(/^invalid_issuer: /) });
  });

  it('ends the session with the code of the vendor where the code is none of its', async () => {
    const { opened, web, back } = await goThere(its);
    await web.get(back.replace(/code=[^&]*/, 'code=made-up'));
    const { status, error } = await its.session(opened.sessionId);
    expect({ status, error }).toEqual({ status: 'FAILED', error: expect.stringMatching(/^invalid_grant: /) });
  });

  it('leads, replayed, to what came of it', async () => {
    const { opened, web, back } = await goThere(its);
    const asked = its.vendors.asked('plain');
    for (const _ of [1, 2, 3]) expect((await web.get(back)).to).toBe(`/connect/${opened.sessionId}`);
    expect(its.vendors.asked('plain')).toBe(asked + 1);
    expect((await web.get(`/connect/${opened.sessionId}`)).text).toContain('Test Plain is connected');
  });

  it('is used up once, however many come at once', async () => {
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

  it('can be gone again where the vendor could not be asked for tokens', async () => {
    const { opened, web, back } = await goThere(its);
    its.vendors.hold('plain', { status: 503 });
    expect(await landed(web, back)).toMatchObject({ status: 502, text: expect.stringContaining('did not respond') });
    its.vendors.hold('plain', {});
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
    expect((await web.get(await askVendor(web, opened))).status).toBe(303);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });

  it('is closed once the session is over, or its half hour', async () => {
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

it('is not opened for an integration that nobody has an OAuth app for', async () => {
  const facts = { integrationName: 'github', connectionName: 'G', externalId: 'g', workspaceId: its.workspaceId };
  expectError(await its.api.post('/api/v1/connect/token', facts), 400, 'NO_OAUTH_APP');
});

it('is connected although the browser left while the vendor was asked', async () => {
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
