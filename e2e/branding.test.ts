// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid } from './support/expect.js';
import { logo, logoOf } from './support/logo.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { newPerson, signIn } from './support/web-users.js';
import { apiOfPage, webOf } from './support/web.js';

const { beforeAll, beforeEach, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/organization';

export const OPERATIONS: Operations = { UpdateOrganization: { call: () => ({ body: { color: '#0f766e' } }) } };

let api: Api;
let other: Api;
let baseUrl: string;
let databaseUrl: string;
let orgId: string;

beforeAll(async () => {
  ({ api, other, baseUrl, databaseUrl, orgId } = await drawbridge());
});
beforeEach(() => api.patch(PATH, { name: 'Acme', logo: null, color: null }));

const shown = async (by = api): Promise<any> => (await by.get(PATH)).body.organization;

describe('an organization', () => {
  it('changes its name, logo and color, and the response contains the whole record', async () => {
    const before = await shown();
    const theirs = await shown(other);
    const { status, body } = await api.patch(PATH, { name: 'Café & Söhne', logo: logo(), color: '#0F766E' });
    const after = { ...before, name: 'Café & Söhne', logo: logo(), color: '#0f766e', updatedAt: expect.any(String) };
    expect({ status, body }).toEqual({ status: 200, body: { organization: after } });
    expect(body.organization.updatedAt > before.updatedAt).toBe(true);
    expect(await shown()).toEqual(body.organization);
    expect(await shown(other)).toEqual(theirs);
  });

  it('keeps fields that an update omits and clears those that are null', async () => {
    await api.patch(PATH, { logo: logo(), color: '#0f766e' });
    await api.patch(PATH, { name: 'Acme Ltd' });
    expect(await shown()).toMatchObject({ name: 'Acme Ltd', logo: logo(), color: '#0f766e' });
    await api.patch(PATH, { logo: null });
    expect(await shown()).toMatchObject({ name: 'Acme Ltd', logo: null, color: '#0f766e' });
  });

  it('records an update in the audit log and requires organization.write', async () => {
    await api.patch(PATH, { name: 'Recorded' });
    await eventually(async () => {
      const { entries } = (await api.get('/api/v1/audit-log?action=organization.update&limit=1')).body;
      expect(entries[0]).toMatchObject({
        outcome: 'allowed',
        resource: { type: 'organization', id: orgId, name: 'Recorded' },
      });
    });
    const keyOf = async (permissions: object): Promise<Api> =>
      apiOf(baseUrl, (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body.plainKey);
    const others = [
      await keyOf({ scope: 'org', grants: ['members.write', 'api_keys.manage'] }),
      apiOfPage(baseUrl, await signIn(baseUrl, await newPerson(databaseUrl, { orgId, role: 'member' }))),
    ];
    for (const by of others) expectError(await by.patch(PATH, { name: 'Theirs' }), 403, 'FORBIDDEN');
    expect((await shown()).name).toBe('Recorded');
    const writer = await keyOf({ scope: 'org', grants: ['organization.write'] });
    expect((await writer.patch(PATH, { name: 'Written' })).status).toBe(200);
  });

  it('is unchanged by an empty or invalid update', async () => {
    expectError(await api.patch(PATH, {}), 400, 'NO_UPDATES');
    expectInvalid(await api.patch(PATH, { name: null }), 'name');
    expectInvalid(await api.patch(PATH, { name: '', logo: 'x', color: 'red' }), 'name', 'logo', 'color');
    expectInvalid(await api.patch(PATH, { name: 'n'.repeat(101), plan: 'enterprise' }), 'name', 'plan');
    expect(await shown()).toMatchObject({ name: 'Acme', logo: null, color: null });
  });

  it.each(['#fff', '0f766e', '#0f766g', '#0f766e0', 'rgb(0,0,0)', '#0f766e;}*{'])(
    'refuses the color %j',
    async (color) => {
      expectInvalid(await api.patch(PATH, { color }), 'color');
    },
  );

  it.each([
    ['with an https URL', 'https://acme.example/logo.png'],
    ['in SVG', `data:image/svg+xml;base64,${btoa('<svg/>')}`],
    ['with SVG data declared as PNG', `data:image/png;base64,${btoa('<svg/>')}`],
    ['with PNG data declared as WebP', logo().replace('png', 'webp')],
    ['that is wider than 1,024 pixels', logo(1_025)],
    ['of one byte above the limit', logoOf(32_769)],
    ['with trailing markup', `${logo()}" onerror="x`],
  ])('refuses a logo %s', async (_, uri) => {
    expectInvalid(await api.patch(PATH, { logo: uri }), 'logo');
    expect((await shown()).logo).toBeNull();
  });

  it('accepts a logo of the maximum size and a name of the maximum length', async () => {
    const most = { name: 'n'.repeat(100), logo: logoOf(32_768) };
    expect((await api.patch(PATH, most)).body.organization).toMatchObject(most);
  });
});

describe('pages of a known organization', () => {
  const BRANDED = { name: 'Café <b>& Söhne</b>', logo: logo(), color: '#ffd400' };
  const STYLES = 'href="/assets/brand-ffd400.css"';

  async function invitation(by = api): Promise<string> {
    const email = `invited-${Date.now()}-${Math.random()}@example.com`;
    const { pathname, search } = new URL((await by.post('/api/v1/members/invite', { email })).body.link);
    return pathname + search;
  }

  it('show its name, logo and color to an invited and to a signed-in user', async () => {
    await api.patch(PATH, BRANDED);
    const member = await signIn(baseUrl, await newPerson(databaseUrl, { orgId, role: 'member' }));
    for (const page of [await webOf(baseUrl).get(await invitation()), await member.get('/account')]) {
      for (const part of [`src="${logo()}"`, STYLES, 'Café &lt;b>&amp; Söhne&lt;/b></span>', 'Runs on Drawbridge'])
        expect(page.text).toContain(part);
      expect(page.headers.get('content-security-policy')).toContain('img-src data:;');
    }
  });

  it('keep its branding on an error, and never show that of another organization', async () => {
    await api.patch(PATH, BRANDED);
    const link = await invitation();
    const refused = await webOf(baseUrl).post('/sign-up', {
      invitation: link.split('=')[1]!,
      name: '',
      newPassword: '',
    });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(STYLES) });
    const theirs = await webOf(baseUrl).get(await invitation(other));
    expect(theirs.text).not.toMatch(/brand-|src="data:image/);
    expect(theirs.text).toContain('class="monogram"');
  });

  it('show the default branding where the organization is unknown', async () => {
    for (const path of ['/sign-in', '/sign-up?invitation=x']) {
      const { text } = await webOf(baseUrl).get(path);
      expect(text).not.toMatch(/brand-|src="data:image|Runs on/);
    }
  });

  it('load an immutable style sheet for its color', async () => {
    const { status, text, headers } = await webOf(baseUrl).get('/assets/brand-ffd400.css');
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('--fill:#ffd400') });
    expect(headers.get('content-type')).toContain('text/css');
    expect(headers.get('cache-control')).toContain('immutable');
    for (const color of ['fff', 'FFD400', 'ffd400}', 'ffd4000', '%00ffff'])
      expect((await webOf(baseUrl).get(`/assets/brand-${color}.css`)).status).toBe(404);
  });
});
