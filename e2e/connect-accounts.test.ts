// Shapes: none; in full: local, processes
import {
  type AccountProduct,
  accountProduct,
  beginAt,
  comeBack,
  issueTokens,
  ME,
  NAME,
} from './support/account-product.js';
import { visit } from './support/connect.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { webOf } from './support/web.js';

let its: AccountProduct;

/** With separate services, runs two replicas of the connections service, because the requests of one session can reach different replicas. */
beforeAll(async () => (its = await accountProduct({ replicas: { connections: 2, execution: 2 } })));
afterAll(() => its?.stop());
beforeEach(() => {
  for (const provider of [its.acme, its.beta, its.evil]) provider.reset();
  issueTokens(its.acme, 'acme');
  issueTokens(its.beta, 'beta');
  its.acme.on('GET /me', { body: ME });
});
afterEach(() => expect(its.evil.connections()).toBe(0));

const asked = (provider = its.acme): string[] => provider.requests.map(({ method, url }) => `${method} ${url}`);
const usedToken = (): unknown => its.acme.requests.at(-1)!.headers['authorization'];
const session = async (id: string) => (await its.api.get(`/api/v1/connect/session/${id}`)).body.session;

async function connected(subdomain = 'Acme', fields = {}) {
  const { opened, web, path } = await its.open(NAME, fields);
  const there = await beginAt(web, path, subdomain);
  const { status, to } = await comeBack(web, there);
  expect({ status, to }).toEqual({ status: 303, to: path });
  return { opened, web, path, there };
}

describe('an account with its own address', () => {
  it('is entered, connected, used, refreshed and revoked at that address', async () => {
    const { opened, web, path } = await its.open();
    const form = (await web.get(path)).text;
    for (const text of [
      'name="field.subdomain"',
      '>Subdomain<',
      'The first part of &lt;your',
      'Continue to Test Account',
    ])
      expect(form).toContain(text);

    const there = await beginAt(web, path, ' Acme ');
    expect(there.origin + there.pathname).toBe(`${its.acme.url}/authorize`);
    // Shopify adds further parameters, and the issuer is the URL of the account.
    const more = { shop: 'acme.example', hmac: 'x', host: 'y', timestamp: '1', iss: 'https://acme.acct.example' };
    expect(await comeBack(web, there, more)).toMatchObject({ status: 303, to: path });
    expect(asked()).toEqual(['POST /token', 'GET /me']);
    expect(its.acme.requests[1]!.headers['authorization']).toBe('Bearer access-acme-1');
    const done = await web.get(path);
    for (const text of ['Test Account is connected', 'Connected as ada@example.com']) expect(done.text).toContain(text);

    expect((await its.execute(opened.externalId)).body.output).toEqual({ account: 'acme' });
    expect(usedToken()).toBe('Bearer access-acme-1');
    const { connectionId } = await session(opened.sessionId);
    for (const number of [2, 3]) {
      await its.expire(connectionId);
      expect((await its.execute(opened.externalId)).status).toBe(200);
      expect(usedToken()).toBe(`Bearer access-acme-${number}`);
    }
    expect(asked().filter((one) => one === 'POST /token')).toHaveLength(3);

    await its.api.delete(`/api/v1/connections/${connectionId}`);
    await eventually(async () => expect(asked()).toContain('POST /revoke/platform'));
  });

  it('does not affect another session with another account', async () => {
    const [one, two] = [await its.open(), await its.open()];
    const [thereOne, thereTwo] = [await beginAt(one.web, one.path, 'acme'), await beginAt(two.web, two.path, 'beta')];
    expect([thereOne.origin, thereTwo.origin]).toEqual([its.acme.url, its.beta.url]);
    await Promise.all([comeBack(one.web, thereOne), comeBack(two.web, thereTwo)]);
    expect([asked(its.acme), asked(its.beta)]).toEqual([expect.arrayContaining(['POST /token']), ['POST /token']]);
    for (const [{ opened }, account] of [
      [one, 'acme'],
      [two, 'beta'],
    ] as const)
      expect((await its.execute(opened.externalId)).body.output).toMatchObject({ account });
  });

  it('cannot be changed between the redirect and the callback', async () => {
    const { opened, web, path } = await its.open();
    const first = await beginAt(web, path, 'acme');
    const second = await beginAt(web, path, 'beta');
    expect((await comeBack(web, first)).to).toContain('/connect/back/replaced');
    const other = await visit(its.product.baseUrl, opened);
    expect((await comeBack(other, second)).to).toContain('/connect/back/elsewhere');
    expect([asked(its.acme), asked(its.beta)]).toEqual([[], []]);
    expect((await comeBack(web, second, { subdomain: 'acme', 'field.subdomain': 'acme' })).to).toBe(path);
    expect([asked(its.acme), asked(its.beta)]).toEqual([['GET /me'], ['POST /token']]);
  });

  it('is refused where its values were not stored, as by the previous version', async () => {
    const { opened, web, path } = await its.open();
    const there = await beginAt(web, path, 'acme');
    const sql = 'UPDATE connections.connect_sessions SET asked_account = NULL WHERE id = $1';
    await rowsOf(its.product.databaseUrl, sql, [opened.sessionId]);
    expect((await comeBack(web, there)).to).toContain('/connect/back/refused');
    expect(await session(opened.sessionId)).toMatchObject({ status: 'PENDING' });
    expect(asked()).toEqual([]);
  });

  it('is exchanged once where two tabs begin and return at the same time', async () => {
    const { web, path } = await its.open();
    const [one, two] = await Promise.all([beginAt(web, path, 'acme'), beginAt(web, path, 'beta')]);
    await Promise.all([comeBack(web, one), comeBack(web, two)]);
    const exchanged = [...asked(its.acme), ...asked(its.beta)].filter((name) => name === 'POST /token');
    expect(exchanged).toHaveLength(1);
  });

  it('fails where the issuer is the address of another account', async () => {
    const { opened, web, path } = await its.open();
    await comeBack(web, await beginAt(web, path, 'acme'), { iss: 'https://beta.acct.example' });
    expect(await session(opened.sessionId)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(/^invalid_iss/),
    });
    expect(asked()).toEqual([]);
  });

  it('keeps its declared values out of reach of the token response and afterConnect', async () => {
    const { opened } = await connected();
    const [row] = await its.connections(opened.externalId);
    expect(row).toMatchObject({ account_label: 'ada@example.com', status: 'ACTIVE' });
    await its.expire(row.id);
    await its.execute(opened.externalId);
    await its.api.delete(`/api/v1/connections/${row.id}`);
    await eventually(async () => expect(asked()).toContain('POST /revoke/platform'));
  });
});

describe('the account form', () => {
  const HOSTILE = [
    'evil.com/',
    'evil.com#',
    'evil.com?',
    'a@evil',
    'evil.com\\',
    'evil.com:443/',
    '..',
    '.',
    '/..',
    'acme.evil',
    'аcme',
    '%2e',
    'a b',
    '{subdomain}',
    '__proto__',
    "'; --",
    'x'.repeat(10_000),
    'acme\u202e',
  ];

  it('refuses hostile values beside the field, without a redirect or a request', async () => {
    const { opened, web, path } = await its.open();
    for (const value of HOSTILE) {
      const refused = await web.post(`${path}/authorize`, { 'field.subdomain': value });
      expect({ value, status: refused.status }).toEqual({ value, status: 400 });
      expect(refused.text).toContain('This value is not valid.');
      expect(refused.headers.get('refresh')).toBeNull();
      expect(refused.text.length).toBeLessThan(8_000);
    }
    expect(await session(opened.sessionId)).toMatchObject({ status: 'PENDING' });
    const sql = 'SELECT nonce, asked_account FROM connections.connect_sessions WHERE id = $1';
    expect(await rowsOf(its.product.databaseUrl, sql, [opened.sessionId])).toEqual([
      { nonce: null, asked_account: null },
    ]);
    expect([asked(its.acme), asked(its.beta)]).toEqual([[], []]);
  });

  it('requires each value, in the language of the browser', async () => {
    const { web, path } = await its.open();
    for (const fields of [{}, { 'field.subdomain': '  ' }] as Record<string, string>[])
      expect(await web.post(`${path}/authorize`, fields)).toMatchObject({
        status: 400,
        text: expect.stringContaining('This field is required.'),
      });
    const german = { 'accept-language': 'de' };
    expect((await web.post(`${path}/authorize`, {}, german)).text).toContain('Bitte ausfüllen.');
    const wrong = await web.post(`${path}/authorize`, { 'field.subdomain': 'a"<b>' }, german);
    expect(wrong.text).toContain('Dieser Wert ist nicht gültig.');
    expect(wrong.text).toContain('value="a&quot;&lt;b');
  });

  it('remembers the value of the last attempt and stores no other field', async () => {
    const { opened, web, path } = await its.open();
    const sent = { 'field.subdomain': 'acme', 'field.strange': 'x', 'field.instanceUrl': 'https://evil.com' };
    expect((await web.post(`${path}/authorize`, sent)).status).toBe(200);
    expect((await web.get(path)).text).toContain('value="acme"');
    const sql = 'SELECT asked_account FROM connections.connect_sessions WHERE id = $1';
    expect(await rowsOf(its.product.databaseUrl, sql, [opened.sessionId])).toEqual([
      { asked_account: { subdomain: 'acme' } },
    ]);
    expect(Object.keys(await session(opened.sessionId))).not.toContain('askedAccount');
  });

  it('is refused from another site', async () => {
    const { web, path } = await its.open();
    const evil = { origin: 'https://evil.example' };
    expect((await web.post(`${path}/authorize`, { 'field.subdomain': 'acme' }, evil)).status).toBe(403);
  });
});

describe('afterConnect', () => {
  it.each([
    ['refuses the token', { status: 401, body: { message: 'No' } }, 400, 'refused'],
    ['refuses access', { status: 403, body: {} }, 400, 'refused'],
    ['answers 503', { status: 503, body: {} }, 502, 'away'],
    ['answers 429', { status: 429, body: {} }, 502, 'away'],
    ['is unreachable', { reset: true }, 502, 'away'],
    ['sends more than a MiB', { body: { label: 'x'.repeat(1_048_576) } }, 502, 'away'],
    ['sends more than 20,000 JSON values', { body: { more: Array(20_000).fill(0) } }, 502, 'away'],
    ['sends a text that is too long', { body: { data: { cloudId: 'x'.repeat(2_001) } } }, 400, 'refused'],
    ['sends an object', { body: { data: { cloudId: {} } } }, 400, 'refused'],
    [
      'sends too many values',
      { body: { data: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`n${i}`, i])) } },
      400,
      'refused',
    ],
    ['sends a name that is not one', { body: { data: { 'a.b': 1 } } }, 400, 'refused'],
    ['sends no object', { body: { data: 'x' } }, 400, 'refused'],
    ['has a defect', { body: { defect: true } }, 503, 'fault'],
  ])('lets the user try again where the provider %s', async (_what, behaviour, status, problem) => {
    its.acme.on('GET /me', behaviour);
    const { opened, web, path } = await its.open();
    const { to } = await comeBack(web, await beginAt(web, path, 'acme'));
    expect(to).toContain(`/connect/back/${problem}?session=`);
    expect((await web.get(to!)).status).toBe(status);
    expect(await session(opened.sessionId)).toMatchObject({ status: 'PENDING' });
    expect(await its.connections(opened.externalId)).toEqual([]);
    its.acme.on('GET /me', { body: ME });
    expect((await comeBack(web, await beginAt(web, path, 'acme'))).to).toBe(path);
    expect(await session(opened.sessionId)).toMatchObject({ status: 'COMPLETED' });
    expect(asked()).not.toContain('POST /revoke/platform');
  });

  it('ends after 15 s, however many requests it sends', async () => {
    its.acme.on('GET /me', { body: { again: true }, delay: 4_000 });
    const { opened, web, path } = await its.open();
    const began = performance.now();
    expect((await comeBack(web, await beginAt(web, path, 'acme'))).to).toContain('/connect/back/away');
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(await session(opened.sessionId)).toMatchObject({ status: 'PENDING' });
  });

  it('refuses an account with an address that lacks a value', async () => {
    issueTokens(its.acme, 'acme', { instance_url: 'javascript:1' });
    const { opened, web, path } = await its.open();
    expect((await comeBack(web, await beginAt(web, path, 'acme'))).to).toContain('/connect/back/refused');
    expect(await session(opened.sessionId)).toMatchObject({ status: 'PENDING' });
  });

  it('shows the label bounded and escaped, and never one that quotes a token', async () => {
    const labelled = async (label: unknown) => {
      its.acme.reset();
      issueTokens(its.acme, 'acme');
      its.acme.on('GET /me', { body: { label } });
      const { opened, web, path } = await connected();
      const [row] = await its.connections(opened.externalId);
      return { stored: row.account_label, text: (await web.get(path)).text };
    };
    const long = await labelled(`<b>${'x'.repeat(5_000)}`);
    expect(long.stored).toHaveLength(200);
    expect(long.text).toContain('Connected as &lt;b');
    for (const label of ['token access-acme-1', Buffer.from('refresh-acme-1').toString('base64'), '', 7, null, {}]) {
      const { stored, text } = await labelled(label);
      expect({ label, stored }).toEqual({ label, stored: null });
      expect(text).not.toContain('Connected as');
    }
    expect((await labelled('a\u202eb\u0000c')).stored).toBe('a b c');
  });

  it('shows the label in the portal, and replaces it with a reconnect', async () => {
    const fields = { endUserId: 'ada', scope: 'USER', externalId: 'of-ada' };
    await connected('acme', fields);
    const { body } = await its.api.get(`/api/v1/end-users?workspaceId=${its.workspaceId}`);
    const { body: link } = await its.api.post(`/api/v1/end-users/${body.endUsers[0].id}/connect-token`, {});
    const web = webOf(its.product.baseUrl);
    const { to } = await web.get(`/connect/portal?token=${link.token}`);
    expect((await web.get(to!)).text).toContain('connected as ada@example.com');
    expect((await web.get(to!, { 'accept-language': 'de' })).text).toContain('verbunden als ada@example.com');
    its.acme.on('GET /me', { body: { label: 'grace@example.com' } });
    await connected('acme', fields);
    const { text } = await web.get(to!);
    expect(text).toContain('grace@example.com');
    expect(text).not.toContain('ada@example.com');
    its.acme.on('GET /me', { body: {} });
    await connected('acme', fields);
    expect((await web.get(to!)).text).not.toContain('connected as');
    const { body: shown } = await its.api.get('/api/v1/connections?limit=100');
    expect(JSON.stringify(shown)).not.toContain('abel');
  });
});

describe('a typed credential', () => {
  const typed = (fields: Record<string, string>) => ({
    type: 'CUSTOM_AUTH',
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`field.${name}`, value])),
  });

  it('is validated like the account form, and gets the values of afterConnect', async () => {
    const { opened, web, path } = await its.open();
    for (const subdomain of ['evil.com/', 'a@evil', 'x'.repeat(10_000)]) {
      const refused = await web.post(path, typed({ subdomain, apiKey: 'k1' }));
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('This value is not valid.') });
    }
    const missing = await web.post(path, typed({ apiKey: 'k1' }));
    expect(missing).toMatchObject({ status: 400, text: expect.stringContaining('This field is required.') });
    expect(asked()).toEqual([]);
    its.acme.on('GET /me', { body: { ...ME, data: { ...ME.data, apiKey: 'evil', email: 'evil' } } });
    const good = typed({ subdomain: 'acme', apiKey: 'k1', email: 'ada@example.com' });
    expect(await web.post(path, good)).toMatchObject({ status: 303, to: path });
    expect((await web.get(path)).text).toContain('Connected as ada@example.com');
    expect((await its.execute(opened.externalId)).body.output).toMatchObject({ account: 'acme' });
    expect(its.acme.requests.at(-1)!.headers['x-api-key']).toBe('k1');
  });

  it.each([
    ['BASIC_AUTH', { username: 'ada@example.com', password: 'long-password' }, 'ada@example.com'],
    ['BASIC_AUTH', { username: 'ada@example.com' }, null],
    ['SECRET_TEXT', { secretText: 'ada@example.com' }, null],
  ])('of type %s with %j has the label %s', async (type, fields, label) => {
    const { opened, web, path } = await its.open();
    expect((await web.post(path, { ...typed(fields as never), type })).to).toBe(path);
    const [row] = await its.connections(opened.externalId);
    expect(row.account_label).toBe(label);
  });

  it('may be tried again where afterConnect fails', async () => {
    const { web, path } = await its.open();
    const good = typed({ subdomain: 'acme', apiKey: 'k1' });
    for (const [behaviour, status] of [
      [{ status: 401, body: { message: 'Bad key k1' } }, 400],
      [{ status: 503, body: {} }, 502],
      [{ body: { data: 'x' } }, 400],
    ] as const) {
      its.acme.on('GET /me', behaviour);
      const refused = await web.post(path, good);
      expect(refused.status).toBe(status);
      expect(refused.text).not.toContain('Bad key');
    }
    its.acme.on('GET /me', { body: ME });
    expect((await web.post(path, good)).status).toBe(303);
  });
});

it('the catalog shows the values of an account', async () => {
  const { body } = await its.api.get(`/api/v1/integrations?name=${NAME}`);
  expect(body.integration.auth.account).toMatchObject({
    subdomain: {
      type: 'SHORT_TEXT',
      displayName: 'Subdomain',
      description: 'The first part of <your> address.',
      required: true,
    },
  });
});
