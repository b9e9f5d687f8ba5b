// Shapes: local
import { connectProduct, type ConnectProduct, type Opened, outcomeOf, visit } from './support/connect.js';
import { canary, encodedForms, findCanaries } from './support/canaries.js';
import { type Shown, type Web, webOf } from './support/web.js';

let its: ConnectProduct;

/** With separate services, runs two replicas of the connections service, because the requests of one session can reach different replicas. */
beforeAll(async () => (its = await connectProduct({ replicas: { connections: 2 } })));
afterAll(() => its?.stop());
beforeEach(() => {
  its.keys.reset();
  its.keys.on('GET /me', ({ headers }) => {
    const given = [headers['authorization'], headers['x-api-key']].join(' ');
    const isGood = /good|Z29vZ/.test(given);
    return isGood ? { body: { account: 'ann' } } : { status: 401, body: { message: 'Bad credentials' } };
  });
});

const KEYS = 'test-keys';
const SECRET = { type: 'SECRET_TEXT', 'field.secretText': 'good-key' };

async function begin(fields = {}): Promise<{ opened: Opened; web: Web; path: string }> {
  const opened = await its.open(KEYS, fields);
  return { opened, web: await visit(its.product.baseUrl, opened), path: `/connect/${opened.sessionId}` };
}

describe('a connect form', () => {
  it('shows the integration, the connection, the organization and a link for each type', async () => {
    const { web, path } = await begin({ connectionName: 'Keys & <more>' });
    const shown = await web.get(path);
    const { organization } = (await its.api.get('/api/v1/organization')).body;
    for (const text of [
      'Connect Test Keys',
      'Keys &amp; &lt;more',
      organization.name,
      'The key stands in your settings.',
    ])
      expect(shown.text).toContain(text);
    for (const type of ['BASIC_AUTH', 'CUSTOM_AUTH']) expect(shown.text).toContain(`${path}?with=${type}`);
    expect((await web.get(`${path}?with=BASIC_AUTH`)).text).toContain('name="field.password"');
    expect((await web.get(`${path}?with=CUSTOM_AUTH`)).text).toMatch(/name="field.apiKey"[^]*Such as eu\./);
  });

  it.each([
    ['SECRET_TEXT', { secretText: 'good-key' }, { authorization: 'Bearer good-key' }],
    ['BASIC_AUTH', { username: 'good', password: '' }, { authorization: 'Basic Z29vZDo=' }],
    ['CUSTOM_AUTH', { apiKey: 'good', region: '', strange: 'x' }, { 'x-api-key': 'good' }],
  ])('connects by %s after testing the credential', async (type, typed, headers) => {
    const { opened, web, path } = await begin();
    const fields = Object.fromEntries(Object.entries(typed).map(([name, value]) => [`field.${name}`, value]));
    expect(await web.post(path, { type, ...fields })).toMatchObject({ status: 303, to: path });
    expect(its.keys.requests).toMatchObject([{ method: 'GET', url: '/me', headers }]);
    const shown = await web.get(path);
    expect(shown.text).toContain('Test Keys is connected');
    const { connectionId } = await its.session(opened.sessionId);
    expect(outcomeOf(shown).message).toMatchObject({ status: 'COMPLETED', connectionId, error: null });
    expect((await its.execute(KEYS, opened.externalId)).status).toBe(200);
    expect(its.keys.requests.at(-1)?.headers).toMatchObject(headers);
  });

  it('accepts a multi-line field unchanged, masked and without spelling checks', async () => {
    const { web, path } = await begin();
    const shown = await web.get(`${path}?with=CUSTOM_AUTH`);
    const [textarea = ''] = /<textarea[^>]*>/.exec(shown.text) ?? [];
    for (const part of ['name="field.certificate"', 'class="masked"', 'autocomplete="off"', 'spellcheck="false"'])
      expect(textarea).toContain(part);
    const lines = ['-----BEGIN', ...Array.from({ length: 300 }, () => 'QUJD'.repeat(16)), '-----END', ''];
    const typed = { 'field.apiKey': 'good', 'field.certificate': lines.join('\r\n') };
    const post = () => web.post(path, { type: 'CUSTOM_AUTH', ...typed });
    its.keys.on('GET /me', { status: 401, body: { message: `Not good: ${lines.join('\n')}` } });
    expect(await post()).toMatchObject({ status: 400, text: expect.not.stringContaining('QUJD') });
    its.keys.on('GET /me', { body: {} });
    expect((await post()).status).toBe(303);
    const given = { 'x-certificate': encodeURIComponent(lines.join('\n')).slice(-100) };
    expect(its.keys.requests.at(-1)).toMatchObject({ headers: given });
  });

  it('is shown again with the error of the provider, without any typed secret', async () => {
    const { opened, web, path } = await begin();
    const typed = canary();
    const post = () => web.post(path, { ...SECRET, 'field.secretText': typed.text });
    const quoted: Shown[] = [];
    for (const [name, form] of Object.entries(encodedForms(typed.text))) {
      if (!['raw', 'url', 'hex', 'base64', 'base64Url'].includes(name)) continue;
      its.keys.on('GET /me', { status: 401, body: { message: `Bad key ${form}` } });
      quoted.push(await post());
    }
    its.keys.on('GET /me', { status: 401, body: { message: 'Bad credentials' } });
    const refused = await post();
    expect(refused.text).toContain('The response was: Bad credentials');
    for (const page of [...quoted, refused]) {
      expect(page.status).toBe(400);
      expect(page.text).toContain('name="field.secretText"');
      expect(findCanaries(page.text, { typed })).toEqual([]);
    }
    expect((await its.session(opened.sessionId)).status).toBe('PENDING');
  });

  it.each([
    ['is unreachable', { reset: true }],
    ['answers 503', { status: 503, body: {} }],
    ['answers 429', { status: 429, body: {} }],
  ])('lets the user retry where the provider %s', async (_what, behaviour) => {
    const { opened, web, path } = await begin();
    its.keys.on('GET /me', behaviour);
    expect(await web.post(path, SECRET)).toMatchObject({
      status: 502,
      text: expect.stringContaining('could not be reached'),
    });
    its.keys.on('GET /me', { body: {} });
    expect((await web.post(path, SECRET)).status).toBe(303);
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
  });

  it('names missing fields and refuses a type that is not offered', async () => {
    const { web, path } = await begin();
    const empty = await web.post(path, { type: 'SECRET_TEXT', 'field.secretText': '' });
    expect(empty).toMatchObject({ status: 400, text: expect.stringContaining('This field is required.') });
    for (const type of ['OAUTH2', 'PLATFORM_OAUTH2', ''])
      expect((await web.post(path, { ...SECRET, type })).status).toBe(400);
    expect(its.keys.requests).toEqual([]);
  });

  it('is refused from another site', async () => {
    const { web, path } = await begin();
    const refused = await web.post(path, SECRET, { origin: 'https://evil.example' });
    expect(refused.status).toBe(403);
    // An end user has no account page.
    expect(refused.text).not.toContain('/account');
    expect((await web.post(`${path}/authorize`, {}, { origin: 'https://evil.example' })).status).toBe(403);
  });
});

describe('a session', () => {
  it('completes once, however often the form is sent', async () => {
    const { opened, web, path } = await begin();
    const answers: Shown[] = await Promise.all(Array.from({ length: 8 }, () => web.post(path, SECRET)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(its.keys.requests.length).toBe(1);
    const { body } = await its.api.get('/api/v1/connections?limit=100');
    expect(body.connections.filter((one: any) => one.externalId === opened.externalId)).toHaveLength(1);
    expect((await web.get(path)).text).toContain('Test Keys is connected');
  });

  it('shows its outcome in a second tab', async () => {
    const { opened, web, path } = await begin();
    const second = await visit(its.product.baseUrl, opened);
    await web.post(path, SECRET);
    expect((await second.get(path)).text).toContain('Test Keys is connected');
    expect((await second.post(path, SECRET)).to).toBe(path);
    expect(await web.get(`/connect?token=${opened.token}`)).toMatchObject({ status: 303, to: path });
  });

  it('replaces the credential of the connection with this externalId and keeps its id', async () => {
    const first = await begin();
    await first.web.post(first.path, SECRET);
    const { externalId } = first.opened;
    const again = await begin({ externalId, connectionName: 'Other' });
    await again.web.post(again.path, { ...SECRET, 'field.secretText': 'good-other' });
    const [one, two] = await Promise.all([its.session(first.opened.sessionId), its.session(again.opened.sessionId)]);
    expect(two.connectionId).toBe(one.connectionId);
    expect((await its.execute(KEYS, externalId)).status).toBe(200);
    expect(its.keys.requests.at(-1)?.headers['authorization']).toBe('Bearer good-other');
  });

  it('creates a USER connection for its end user only', async () => {
    const { opened, web, path } = await begin({ scope: 'USER', endUserId: 'ann' });
    await web.post(path, SECRET);
    const { connectionId } = await its.session(opened.sessionId);
    const { connection } = (await its.api.get(`/api/v1/connections?id=${connectionId}`)).body;
    expect(connection).toMatchObject({ scope: 'USER', endUserId: 'ann', workspaceId: its.workspaceId });
  });

  it.each(['suspended', 'deleted'])('fails where its workspace was %s meanwhile', async (how) => {
    const slug = `gone-${how}`;
    const { workspace } = (await its.api.post('/api/v1/workspaces', { name: 'Gone', slug })).body;
    const { opened, web, path } = await begin({ workspaceId: workspace.id });
    if (how === 'deleted') await its.api.delete(`/api/v1/workspaces/${workspace.id}`);
    else await its.api.post(`/api/v1/workspaces/${workspace.id}/suspend`);
    await web.post(path, SECRET);
    const polled = await its.api.post('/api/v1/connect/session/poll', { token: opened.token });
    // Soon after a workspace is deleted, its sessions are also deleted, and the token of the session is then unknown.
    if (polled.status === 401) expect(how).toBe('deleted');
    else
      expect(polled.body).toMatchObject({
        status: 'FAILED',
        connectionId: null,
        error: expect.stringContaining('orkspace'),
      });
  });

  it('is hidden from a browser that did not open its link and from an invalid link', async () => {
    const { path } = await begin();
    const stranger = webOf(its.product.baseUrl);
    const pages = [path, '/connect', '/connect?token=', '/connect?token=cst_x', '/connect?token=a&token=b'];
    for (const page of pages)
      expect(await stranger.get(page)).toMatchObject({ status: 404, text: expect.stringContaining('does not work') });
  });
});
