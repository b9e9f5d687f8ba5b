// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/integrations';

export const OPERATIONS: Operations = { ListIntegrations: { call: () => ({}) } };

let anyone: Api;

beforeAll(async () => {
  anyone = apiOf((await drawbridge()).baseUrl);
});

describe('the integration catalog', () => {
  it('lists all integrations and their names without a key', async () => {
    const { status, body } = await anyone.get(PATH);
    const names = body.integrations.map(({ name }: { name: string }) => name);
    expect({ status, total: body.total, registered: body.registered }).toEqual({
      status: 200,
      total: names.length,
      registered: names,
    });
    expect(names).toEqual(expect.arrayContaining(['github', 'hash-encode', 'http']));
  });

  it('returns the same list to an organization', async () => {
    const { api } = await drawbridge();
    expect((await api.get(PATH)).body).toEqual((await anyone.get(PATH)).body);
  });

  it('returns summaries without actions and triggers', async () => {
    const full = await anyone.get(PATH);
    const { body } = await anyone.get(`${PATH}?summary=true`);
    const bare = ({ actions: _actions, triggers: _triggers, ...summary }: any): object => summary;
    expect(body).toEqual({ ...full.body, integrations: full.body.integrations.map(bare) });
    expect((await anyone.get(`${PATH}?summary=false`)).body).toEqual(full.body);
  });

  it('describes the props of a CUSTOM_AUTH connection', async () => {
    const { auth } = (await anyone.get(`${PATH}?name=http`)).body.integration;
    expect(auth).toMatchObject({
      props: {},
      description: expect.stringContaining('each prop of CUSTOM_AUTH as a header'),
    });
  });

  it('returns a named integration in full', async () => {
    const { body } = await anyone.get(`${PATH}?name=github`);
    expect(body.integration).toMatchObject({
      name: 'github',
      displayName: 'GitHub',
      description: expect.any(String),
      logoUrl: expect.stringMatching(/^data:image\/svg\+xml/),
      categories: expect.arrayContaining([expect.any(String)]),
      auth: {
        type: 'OAUTH2',
        types: ['OAUTH2', 'SECRET_TEXT'],
        required: true,
        oauth2: { authUrl: expect.any(String) },
      },
      triggers: {
        push: { name: 'push', displayName: 'Push', description: expect.any(String), props: expect.any(Object) },
        pull_request: expect.any(Object),
        new_issue: expect.any(Object),
      },
    });
    const { create_issue: createIssue } = body.integration.actions;
    expect(createIssue).toMatchObject({ name: 'create_issue', displayName: 'Create issue' });
    expect(createIssue.props.title).toEqual({
      type: 'SHORT_TEXT',
      displayName: 'Title',
      required: true,
      description: '',
      refreshers: [],
      options: [],
    });
    expect(createIssue.props.labels).toMatchObject({ type: 'MULTI_SELECT', required: false, refreshers: ['repo'] });
  });

  it('returns the options of a static select', async () => {
    const { body } = await anyone.get(`${PATH}?name=hash-encode`);
    const { algorithm } = body.integration.actions.hash.props;
    expect(algorithm.options).toContainEqual({ label: 'sha256', value: 'sha256' });
  });

  it('marks integrations that need no connection', async () => {
    const authOf = async (name: string) => (await anyone.get(`${PATH}?name=${name}`)).body.integration.auth;
    expect(await authOf('hash-encode')).toMatchObject({ type: 'NONE', types: [], required: false });
    expect(await authOf('http')).toMatchObject({ type: 'SECRET_TEXT', required: false });
  });

  it.each(['nothing', 'constructor', 'GitHub', ''])('answers INTEGRATION_NOT_FOUND for %j', async (name) => {
    expectError(await anyone.get(`${PATH}?name=${name}`), 404, 'INTEGRATION_NOT_FOUND');
  });

  it('is cached by clients and answers 304 while it is unchanged', async () => {
    const tags = new Set<string>();
    for (const query of ['', '?summary=true', '?name=github']) {
      const first = await anyone.get(PATH + query);
      const etag = first.headers.get('etag')!;
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      expect(first.headers.get('cache-control')).toBe('public, max-age=60');
      expect(await anyone.get(PATH + query)).toMatchObject({ status: 200, body: first.body });
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { status, body, headers } = await anyone.get(PATH + query, { 'if-none-match': known });
        expect({ known, status, body, etag: headers.get('etag') }).toEqual({
          known,
          status: 304,
          body: undefined,
          etag,
        });
        expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
      }
      const other = await anyone.get(PATH + query, { 'if-none-match': '"other"' });
      expect(other).toMatchObject({ status: 200, body: first.body });
      const head = await anyone.send('HEAD', PATH + query);
      expect({ status: head.status, body: head.body, etag: head.headers.get('etag') }).toEqual({
        ...{ status: 200, body: undefined, etag },
      });
      tags.add(etag);
    }
    expect(tags.size).toBe(3);
  });

  it('returns errors without caching headers', async () => {
    const { status, headers } = await anyone.get(`${PATH}?name=nothing`, { 'if-none-match': '*' });
    expect({ status, cache: headers.get('cache-control'), etag: headers.get('etag') }).toEqual({
      status: 404,
      cache: 'no-store',
      etag: null,
    });
  });

  it('refuses a summary that is neither true nor false', async () => {
    expectInvalid(await anyone.get(`${PATH}?summary=short`), 'summary');
  });
});
