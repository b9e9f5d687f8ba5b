// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { type AskedProduct, askedProduct } from './support/asked-product.js';
import { expectError, expectInvalid } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { type OwnedResources } from './support/owned-resources.js';

const { afterAll, beforeAll, beforeEach, describe, it } = testsOf(import.meta);

const ofState = ({ workspaceId, integrationId: workspaceIntegrationId }: OwnedResources) => ({
  path: { integrationName: 'github' },
  body: { actionName: 'update_issue', propertyName: 'state', workspaceId, workspaceIntegrationId },
});
const ids = { 'body.workspaceIntegrationId': 'integrationId' } as const;

export const OPERATIONS: Operations = {
  ResolveOptions: { call: ofState, ids },
  ResolveProperties: { call: ofState, ids, refusal: '400 NOT_DYNAMIC' },
};

let its: AskedProduct;
let thirdParty: FakeProvider;

beforeAll(async () => {
  its = await askedProduct();
  ({ thirdParty } = its);
});
afterAll(() => its?.stop());
beforeEach(() => thirdParty.reset());

const options = (name: string, fields?: object): Promise<Answer> => its.options(name, fields);
const properties = (name: string, fields?: object): Promise<Answer> => its.properties(name, fields);
const used = (): unknown[] => thirdParty.requests.map(({ headers }) => headers['authorization']);

const named = (...names: string[]): object[] => names.map((name) => ({ id: name.toLowerCase(), name }));
const shown = (...names: string[]): object[] => names.map((label) => ({ label, value: label.toLowerCase() }));

describe('the options of a select', () => {
  it('are all pages of the provider, read with the connection of the configured integration', async () => {
    thirdParty.on('GET /teams', ({ url }) => {
      const page = Number(new URL(url, thirdParty.url).searchParams.get('page'));
      return { body: { items: named(`Team${page}`), next: page < 3 ? page + 1 : null } };
    });
    expect((await options('team')).body).toEqual({ options: shown('Team1', 'Team2', 'Team3'), disabled: false });
    expect(used()).toEqual(Array(3).fill('Bearer of-the-workspace'));
  });

  it('wait for the property that refreshes them', async () => {
    thirdParty.on('GET /teams/red/channels', { body: named('News') });
    expect((await options('channel')).body).toEqual({ options: [], disabled: true });
    expect((await options('channel', { input: { team: 'red' } })).body.options).toEqual(shown('News'));
    expectInvalid(await options('channel', { input: { team: 7 } }), 'input.team');
    expectInvalid(await options('channel', { input: { team: '..' } }), 'input.team');
  });

  it('use values of partials beneath the input', async () => {
    thirdParty.on('GET /teams/red/channels', { body: named('News') });
    const partial = { workspaceId: its.workspaceId, integrationName: 'asked', name: 'Red', values: { team: 'red' } };
    const { id } = (await its.api.post('/api/v1/partials', { ...partial, isDefault: true })).body.partial;
    expect((await options('channel')).body.options).toEqual(shown('News'));
    expect((await options('channel', { partialIds: [id] })).body.options).toEqual(shown('News'));
    expect((await options('channel', { partialIds: [] })).body.disabled).toBe(true);
    const ofTrigger = { actionName: undefined, triggerName: 'posted' };
    expect((await options('channel', ofTrigger)).body.options).toEqual(shown('News'));
    await its.api.delete(`/api/v1/partials/${id}`);
    await expectWithinASecond(async () => expect((await options('channel')).body.disabled).toBe(true));
  });

  it('are the same for a trigger and for an action', async () => {
    thirdParty.on('GET /teams/red/channels', { body: named('News') });
    const fields = { actionName: undefined, triggerName: 'posted', input: { team: 'red' } };
    expect((await options('channel', fields)).body.options).toEqual(shown('News'));
    expectInvalid(await options('people', fields), 'propertyName');
  });

  it('are searched by the provider, the product, or both', async () => {
    thirdParty.on('GET /people', { body: { people: named('Ann', 'Bob') } });
    expect((await options('people', { searchValue: 'bo' })).body.options).toEqual(shown('Bob'));
    expect(thirdParty.requests[0]?.url).toBe('/people?search=bo');
    const alarm = { label: 'Alarm bell', value: 'alarm' };
    expect((await options('kind')).body).toEqual({
      options: [{ label: 'note', value: 'note' }, alarm],
      disabled: false,
    });
    expect((await options('kind', { searchValue: 'BELL' })).body.options).toEqual([alarm]);
  });

  it('are limited to 1,000, also for a response that another thread parses', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      id: `${index}`,
      name: `Person ${index}`,
      note: 'x'.repeat(99),
    }));
    thirdParty.on('GET /people', { body: { people: many } });
    expect((await options('people')).body.options).toHaveLength(1_000);
    const { body } = await options('people', { searchValue: '4999' });
    expect(body.options).toEqual([{ label: 'Person 4999', value: '4999' }]);
    expect(thirdParty.requests).toHaveLength(2);
  });

  it('never contain the credential, even if the provider returns it', async () => {
    thirdParty.on('GET /people', { body: { people: [{ id: 'a', name: 'I am of-the-workspace' }] } });
    expect((await options('people')).body.options).toEqual([{ label: 'I am [redacted]', value: 'a' }]);
  });

  it('are neither logged nor counted', async () => {
    const usage = async () => (await its.api.get('/api/v1/organization')).body.usage.actionsThisMonth;
    const before = await usage();
    thirdParty.on('GET /people', { body: { people: [] } });
    await options('people');
    const { executions } = (await its.api.get(`/api/v1/executions?workspaceId=${its.workspaceId}`)).body;
    expect({ executions, usage: await usage() }).toEqual({ executions: [], usage: before });
  });
});

describe('a dynamic property', () => {
  it('contains the fields that the provider returns for the input', async () => {
    thirdParty.on('GET /columns', {
      body: [
        { id: 'name', name: 'Name' },
        { id: 'size', name: 'Size', choices: ['S', 'L'] },
      ],
    });
    const { status, body } = await properties('fields', { input: { team: 'red' } });
    const neither = { description: '', refreshers: [], options: [] };
    const choices = [
      { label: 'S', value: 'S' },
      { label: 'L', value: 'L' },
    ];
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        properties: {
          name: { ...neither, type: 'SHORT_TEXT', displayName: 'Name', required: true },
          size: { ...neither, type: 'STATIC_DROPDOWN', displayName: 'Size', required: false, options: choices },
        },
      },
    });
    expect(thirdParty.requests[0]?.url).toBe('/columns?team=red');
  });

  it('fails with too many fields and with invalid ones', async () => {
    thirdParty.on('GET /columns', {
      body: Array.from({ length: 501 }, (_, index) => ({ id: `c${index}`, name: 'C' })),
    });
    for (const name of ['fields', 'form']) expectError(await properties(name), 400, 'RESOLVE_FAILED');
  });

  it('fails with the error of the provider', async () => {
    thirdParty.on('GET /columns', { status: 403, body: { message: 'Not yours', code: 'forbidden' } });
    const { body } = await properties('fields');
    expect(body).toMatchObject({ code: 'RESOLVE_FAILED', details: { provider: { status: 403, code: 'forbidden' } } });
  });
});
