import { AssociationTypes, Client } from '@hubspot/api-client';
import { type JsonObject, readAccount, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, propsOf, runPiece, runTrigger, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { associationsOf } from './associations.js';
import { hubspot } from './index.js';
import { formSubmitted } from './triggers/form-submitted.js';

const description = readDescription('hubspot');
const described = by(description);
const credential = { type: 'SECRET_TEXT', secretText: 'pat-canary' } as const;
const setting: Setting = { piece: hubspot, credential, reply: () => json({ id: '1', results: [{ id: '1' }] }) };
const OBJECTS = '/crm/v3/objects';

/** The requests of HubSpot's official client, for parts of the API that the description does not contain. */
const official: string[] = [];

beforeAll(async () => {
  const { received, origin, close } = await startThirdParty(() => json({ results: [] }));
  const { crm, marketing } = new Client({ accessToken: 'canary', basePath: origin });
  await crm.associations.v4.basicApi.createDefault('contacts', '151', 'companies', '7');
  await crm.lists.membershipsApi.add('5', ['151', '152']);
  await crm.owners.ownersApi.getPage(undefined, undefined, 100, false);
  await crm.pipelines.pipelinesApi.getAll('deals');
  await crm.properties.coreApi.getAll('contacts', false);
  await crm.properties.coreApi.getByName('contacts', 'lifecyclestage');
  await crm.lists.listsApi.doSearch({ query: '', processingTypes: ['MANUAL', 'SNAPSHOT'], count: 100, offset: 0 });
  await marketing.forms.formsApi.getPage(undefined, 100);
  await close();
  official.push(...received.map(toComparable));
});

/** Returns a request as one line with sorted keys, because the order of keys is irrelevant. */
function toComparable(request: Recorded): string {
  const { pathname, searchParams } = new URL(request.url, 'http://hubspot');
  searchParams.sort();
  const body = request.body && JSON.stringify(JSON.parse(request.body), keysOf(JSON.parse(request.body)));
  return `${request.method} ${pathname} ${searchParams} ${body}`;
}
const keysOf = (body: unknown) => (Array.isArray(body) ? undefined : Object.keys(body as object).sort());

const check = (request: Recorded): string[] => {
  if (request.url.startsWith(OBJECTS)) return described(request);
  const line = toComparable(request);
  return official.includes(line) ? [] : [`HubSpot's client does not send ${line}`];
};

const person = {
  ...{ firstname: 'Ann', lastname: 'Lee', phone: '+49', company: 'Acme', jobtitle: 'CEO', lifecyclestage: 'lead' },
  ...{ hubspot_owner_id: '9', properties: { seats: 5, vip: true, tags: ['a', 'b'], zip: null } },
};
const PERSON =
  '"seats":"5","vip":"true","tags":"a;b","zip":"","firstname":"Ann","lastname":"Lee","phone":"+49","company":"Acme",' +
  '"jobtitle":"CEO","lifecyclestage":"lead","hubspot_owner_id":"9"';
const deal = {
  ...{ pipeline: 'default', dealstage: 'closedwon', amount: 12.5, closedate: '2026-01-31T09:00:00Z' },
  ...{ hubspot_owner_id: '9', properties: { dealtype: 'newbusiness' } },
};
const DEAL =
  '"pipeline":"default","dealstage":"closedwon","amount":"12.5","closedate":"2026-01-31T09:00:00Z","hubspot_owner_id":"9"';
const engaged = { contact_ids: ['151'], company_ids: ['7'], deal_ids: ['8'], ticket_ids: ['6'] };
const linked = (types: [id: string, type: number][]) =>
  `"associations":[${types
    .map(
      ([id, type]) =>
        `{"to":{"id":"${id}"},"types":[{"associationCategory":"HUBSPOT_DEFINED","associationTypeId":${type}}]}`,
    )
    .join(',')}]`;
const NOW = '2026-01-31T10:00:00.000Z';
/** Replaces only the clock, because the requests of a test need real timers. */
const TIMERS = [
  'nextTick',
  'queueMicrotask',
  'performance',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
] as const;
const SHOWN = ['email', 'firstname', 'lastname', 'phone', 'company', 'jobtitle', 'lifecyclestage', 'hubspot_owner_id'];

describe('requests', () => {
  beforeAll(() => import.meta.jest.useFakeTimers({ now: new Date(NOW), doNotFake: [...TIMERS] }));
  afterAll(() => import.meta.jest.useRealTimers());

  itIsAccepted(setting, check, {
    create_contact: [
      [
        { email: 'ann@acme.example' },
        `POST ${OBJECTS}/contacts {"properties":{"email":"ann@acme.example"},"associations":[]}`,
      ],
      [
        { email: 'ann@acme.example', ...person },
        `POST ${OBJECTS}/contacts {"properties":{${PERSON.replace('"firstname"', '"email":"ann@acme.example","firstname"')}},"associations":[]}`,
      ],
    ],
    update_contact: [
      [{ contact_id: '151' }, `PATCH ${OBJECTS}/contacts/151 {"properties":{}}`],
      [
        { contact_id: '151', email: 'bo@acme.example', ...person },
        `PATCH ${OBJECTS}/contacts/151 {"properties":{${PERSON.replace('"firstname"', '"email":"bo@acme.example","firstname"')}}}`,
      ],
    ],
    upsert_contact: [
      [
        { email: 'ann@acme.example' },
        `POST ${OBJECTS}/contacts/batch/upsert {"inputs":[{"id":"ann@acme.example","idProperty":"email","properties":{}}]}`,
      ],
      [
        { email: 'ann@acme.example', ...person },
        `POST ${OBJECTS}/contacts/batch/upsert {"inputs":[{"id":"ann@acme.example","idProperty":"email","properties":{${PERSON}}}]}`,
      ],
    ],
    search: [
      [
        { object: 'contacts' },
        `POST ${OBJECTS}/contacts/search {"filterGroups":[],"sorts":[],"properties":${JSON.stringify(SHOWN)},"limit":100,"after":"0"}`,
      ],
      [
        {
          ...{ object: '2-3456789', query: 'acme', sort: '-createdate', properties: ['email'], limit: 7 },
          filters: [
            { propertyName: 'a', operator: 'IN', values: ['x'] },
            { propertyName: 'b', operator: 'BETWEEN', value: '1', highValue: '2' },
          ],
        },
        `POST ${OBJECTS}/2-3456789/search {"query":"acme","filterGroups":[{"filters":[` +
          '{"propertyName":"a","operator":"IN","values":["x"]},{"propertyName":"b","operator":"BETWEEN","value":"1","highValue":"2"}]}],' +
          '"sorts":["-createdate"],"properties":["email"],"limit":7,"after":"0"}',
      ],
    ],
    get_record: [
      [{ object: 'quotes', id: '151' }, `GET ${OBJECTS}/quotes/151`],
      [
        {
          ...{ object: 'contacts', id: 'ann@acme.example', id_property: 'email', properties: ['email', 'phone'] },
          associations: ['companies', 'deals'],
        },
        `GET ${OBJECTS}/contacts/ann%40acme.example?properties=email&properties=phone&associations=companies&associations=deals&idProperty=email`,
      ],
    ],
    create_company: [
      [{ name: 'Acme' }, `POST ${OBJECTS}/companies {"properties":{"name":"Acme"},"associations":[]}`],
      [
        {
          ...{ name: 'Acme', domain: 'acme.example', phone: '+49', city: 'Ulm', country: 'Germany' },
          ...{ description: 'Tea', hubspot_owner_id: '9', properties: { industry: 'ENERGY' } },
        },
        `POST ${OBJECTS}/companies {"properties":{"industry":"ENERGY","name":"Acme","domain":"acme.example","phone":"+49",` +
          '"city":"Ulm","country":"Germany","description":"Tea","hubspot_owner_id":"9"},"associations":[]}',
      ],
    ],
    create_deal: [
      [{ dealname: 'Tea' }, `POST ${OBJECTS}/deals {"properties":{"dealname":"Tea"},"associations":[]}`],
      [
        { dealname: 'Tea', ...deal, contact_ids: ['151', '152'], company_ids: ['7'] },
        `POST ${OBJECTS}/deals {"properties":{"dealtype":"newbusiness","dealname":"Tea",${DEAL}},` +
          `${linked([
            ['151', 3],
            ['152', 3],
            ['7', 341],
          ])}}`,
      ],
    ],
    update_deal: [
      [{ deal_id: '8' }, `PATCH ${OBJECTS}/deals/8 {"properties":{}}`],
      [
        { deal_id: '8', dealname: 'Tea', ...deal },
        `PATCH ${OBJECTS}/deals/8 {"properties":{"dealtype":"newbusiness","dealname":"Tea",${DEAL}}}`,
      ],
    ],
    associate: [
      [
        { from_object: 'contacts', from_id: '151', to_object: 'companies', to_id: '7' },
        'PUT /crm/v4/objects/contacts/151/associations/default/companies/7',
      ],
    ],
    create_note: [
      [
        { body: 'Hi' },
        `POST ${OBJECTS}/notes {"properties":{"hs_note_body":"Hi","hs_timestamp":"${NOW}"},"associations":[]}`,
      ],
      [
        { body: 'Hi', time: '2026-01-01T09:00:00Z', hubspot_owner_id: '9', ...engaged },
        `POST ${OBJECTS}/notes {"properties":{"hs_note_body":"Hi","hs_timestamp":"2026-01-01T09:00:00Z","hubspot_owner_id":"9"},` +
          `${linked([
            ['151', 202],
            ['7', 190],
            ['8', 214],
            ['6', 228],
          ])}}`,
      ],
    ],
    create_task: [
      [
        { subject: 'Call' },
        `POST ${OBJECTS}/tasks {"properties":{"hs_task_subject":"Call","hs_timestamp":"${NOW}"},"associations":[]}`,
      ],
      [
        {
          ...{ subject: 'Call', due: '2026-01-01T09:00:00Z', body: 'Tea', type: 'CALL', priority: 'HIGH' },
          ...{ status: 'WAITING', hubspot_owner_id: '9', ...engaged },
        },
        `POST ${OBJECTS}/tasks {"properties":{"hs_task_subject":"Call","hs_timestamp":"2026-01-01T09:00:00Z","hs_task_body":"Tea",` +
          '"hs_task_type":"CALL","hs_task_priority":"HIGH","hs_task_status":"WAITING","hubspot_owner_id":"9"},' +
          `${linked([
            ['151', 204],
            ['7', 192],
            ['8', 216],
            ['6', 230],
          ])}}`,
      ],
    ],
    add_to_list: [[{ list_id: '5', record_ids: ['151', '152'] }, 'PUT /crm/v3/lists/5/memberships/add ["151","152"]']],
  });
});

it("uses the types of associations of HubSpot's client", () => {
  const typesOf = (object: 'deals' | 'notes' | 'tasks') =>
    associationsOf(object, engaged).map(({ types }) => types[0]?.associationTypeId);
  const { dealToContact, dealToCompany, noteToContact, noteToCompany, noteToDeal, noteToTicket } = AssociationTypes;
  expect(typesOf('deals')).toEqual([dealToContact, dealToCompany]);
  expect(typesOf('notes')).toEqual([noteToContact, noteToCompany, noteToDeal, noteToTicket]);
  const { taskToContact, taskToCompany, taskToDeal, taskToTicket } = AssociationTypes;
  expect(typesOf('tasks')).toEqual([taskToContact, taskToCompany, taskToDeal, taskToTicket]);
});

describe('outputs', () => {
  const times = { createdAt: '2026-01-01T09:00:00Z', updatedAt: '2026-01-31T09:00:00Z', archived: false };
  const record = { id: '151', properties: { email: 'ann@acme.example' }, ...times, url: 'https://app.hubspot.com/151' };
  const longer = { ...record, objectWriteTraceId: 'x', propertiesWithHistory: {} };
  const linked = { ...record, associations: { companies: { results: [{ id: '7', type: 'contact_to_company' }] } } };
  const run = async (name: string, input: JsonObject, body: unknown, status = 200) =>
    (await runPiece({ ...setting, reply: () => json(body, status) }, name, input)).output;

  it('has the fields of a record that people need', async () => {
    expect(checkResponse(description, `POST ${OBJECTS}/{objectType}`, record)).toEqual([]);
    expect(checkResponse(description, `GET ${OBJECTS}/{objectType}/{objectId}`, linked)).toEqual([]);
    expect(await run('create_contact', { email: 'ann@acme.example' }, longer, 201)).toEqual(record);
    expect(await run('update_deal', { deal_id: '1' }, longer)).toEqual(record);
    expect(await run('get_record', { object: 'contacts', id: '1' }, { ...longer, ...linked })).toEqual(linked);
  });

  it('tells whether a contact is new, and why it was not stored', async () => {
    const stored = { results: [{ ...record, new: true }] };
    expect(checkResponse(description, `POST ${OBJECTS}/{objectType}/batch/upsert`, stored)).toEqual([]);
    expect(await run('upsert_contact', { email: 'a@b.example' }, stored)).toEqual({ ...record, new: true });
    const failed = run(
      'upsert_contact',
      { email: 'a@b.example' },
      { results: [], errors: [{ message: 'Bad email' }] },
      207,
    );
    await expect(failed).rejects.toMatchObject({ name: 'ProviderError', message: 'Bad email' });
  });

  it('reads the pages of a search up to the limit', async () => {
    const pages: Record<string, JsonObject> = {
      0: { results: [record], paging: { next: { after: '100' } } },
      100: { results: [{ ...record, id: '152' }] },
    };
    expect(checkResponse(description, `POST ${OBJECTS}/{objectType}/search`, pages[0])).toEqual([]);
    const reply = ({ body }: Recorded) => json(pages[JSON.parse(body).after]);
    const { output, received } = await runPiece({ ...setting, reply }, 'search', { object: 'contacts' });
    expect((output['items'] as JsonObject[]).map(({ id }) => id)).toEqual(['151', '152']);
    expect(received.flatMap(check)).toEqual([]);
    expect((await runPiece({ ...setting, reply }, 'search', { object: 'contacts', limit: 1 })).received).toHaveLength(
      1,
    );
  });
});

/** The responses are typed by HubSpot's client, so a field that it does not have does not compile. */
type Of<Method extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Method>>;
type Owner = Of<Client['crm']['owners']['ownersApi']['getPage']>['results'][number];
type Pipeline = Of<Client['crm']['pipelines']['pipelinesApi']['getAll']>['results'][number];
type Property = Of<Client['crm']['properties']['coreApi']['getAll']>['results'][number];
type Lists = Of<Client['crm']['lists']['listsApi']['doSearch']>;

describe('forms', () => {
  const owners = [
    { id: '9', firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.example' },
    { id: '10', email: 'bo@acme.example' },
  ] satisfies Partial<Owner>[];
  const stage = (id: string, label: string) => ({ id, label }) as Pipeline['stages'][number];
  const pipelines = [
    { id: 'default', label: 'Sales', stages: [stage('s1', 'New'), stage('s2', 'Won')] },
    { id: 'p2', label: 'Partners', stages: [stage('s3', 'Open')] },
  ] satisfies Partial<Pipeline>[];
  const list = (listId: string) => ({ listId, name: `List ${listId}` }) as Lists['lists'][number];
  const lists = Array.from({ length: 101 }, (_, index) => list(String(index)));
  const option = (value: string, hidden = false) => ({ label: value.toUpperCase(), value, hidden });
  const property = (name: string, type: string, more: Partial<Property> = {}) =>
    ({ name, type, label: name, fieldType: 'text', options: [], ...more }) satisfies Partial<Property>;

  function reply({ url, body }: Recorded): Reply {
    if (url.startsWith('/crm/v3/owners'))
      return json({ results: url.includes('after=') ? owners.slice(1) : owners.slice(0, 1), ...more(url) });
    if (url === '/crm/v3/pipelines/deals') return json({ results: pipelines });
    if (url.startsWith('/marketing')) return json({ results: [{ id: 'f1', name: 'Contact us' }] });
    if (url === '/crm/v3/lists/search')
      return json({ lists: lists.slice(JSON.parse(body).offset, JSON.parse(body).offset + 100) });
    return json({ ...property('lifecyclestage', 'enumeration', { options: [option('lead'), option('old', true)] }) });
  }
  const more = (url: string) => (url.includes('after=') ? {} : { paging: { next: { after: '1' } } });
  const offered = async (action: string, name: string, input: JsonObject = {}) => {
    const { output, received } = await optionsOf({ ...setting, reply }, [action, name], input);
    expect(check(received[0] as Recorded)).toEqual([]);
    return output.options;
  };

  it('offer owners, stages, lists and the values of a property', async () => {
    expect(await offered('create_deal', 'hubspot_owner_id')).toEqual([
      { label: 'Ann Lee (ann@acme.example)', value: '9' },
      { label: 'bo@acme.example', value: '10' },
    ]);
    expect(await offered('create_deal', 'pipeline')).toEqual([
      { label: 'Sales', value: 'default' },
      { label: 'Partners', value: 'p2' },
    ]);
    expect(await offered('create_deal', 'dealstage', { pipeline: 'p2' })).toEqual([
      { label: 'Partners: Open', value: 's3' },
    ]);
    expect(await offered('create_deal', 'dealstage')).toHaveLength(3);
    expect(await offered('add_to_list', 'list_id')).toHaveLength(101);
    expect(await offered('create_contact', 'lifecyclestage')).toEqual([{ label: 'LEAD', value: 'lead' }]);
  });

  it('offer forms for a trigger', async () => {
    const { output, received } = await runTrigger({ ...setting, reply }, {}, ({ http, auth, signal }) =>
      Promise.resolve(
        formSubmitted.props['form_id']?.loadOptions?.({ http, input: {}, search: undefined, auth, signal }),
      ),
    );
    expect(output).toEqual([{ label: 'Contact us', value: 'f1' }]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('offer the objects of every account', async () => {
    const { output } = await optionsOf(setting, ['associate', 'from_object']);
    expect(output.options.map(({ value }) => value)).toEqual(expect.arrayContaining(['contacts', 'line_items']));
  });

  it('have a field for each property that can be set', async () => {
    const choices = { options: [option('a'), option('b', true)] };
    const readOnlyValue = { readOnlyValue: true, readOnlyDefinition: true, archivable: false };
    const found = [
      ...[
        property('text', 'string'),
        property('area', 'string', { fieldType: 'textarea' }),
        property('tel', 'phone_number'),
      ],
      ...[property('count', 'number'), property('yes', 'bool'), property('day', 'date'), property('at', 'datetime')],
      ...[
        property('one', 'enumeration', choices),
        property('many', 'enumeration', { ...choices, fieldType: 'checkbox' }),
      ],
      ...[property('user', 'enumeration', { externalOptions: true }), property('spot', 'object_coordinates')],
      ...[property('email', 'string'), property('hid', 'string', { hidden: true })],
      ...[
        property('sum', 'number', { calculated: true }),
        property('fixed', 'string', { modificationMetadata: readOnlyValue }),
      ],
    ];
    const fields = { ...setting, reply: () => json({ results: found }) };
    const { output, received } = await propsOf(fields, ['create_contact', 'properties']);
    expect(received.flatMap(check)).toEqual([]);
    expect(Object.entries(output).map(([name, { type }]) => `${name} ${type}`)).toEqual([
      ...['text SHORT_TEXT', 'area LONG_TEXT', 'tel SHORT_TEXT', 'count NUMBER', 'yes CHECKBOX', 'day SHORT_TEXT'],
      ...['at DATE_TIME', 'one STATIC_DROPDOWN', 'many STATIC_MULTI_SELECT', 'user SHORT_TEXT'],
    ]);
    expect(output['one']?.options).toEqual([{ label: 'A', value: 'a' }]);
  });
});

describe('failures', () => {
  const failing = (body: unknown, status: number, headers = {}) =>
    runPiece({ ...setting, reply: () => json(body, status, headers) }, 'create_company', { name: 'Acme' });

  it.each([
    [
      400,
      { status: 'error', message: 'Bad', category: 'VALIDATION_ERROR' },
      { code: 'VALIDATION_ERROR', message: 'Bad' },
    ],
    [429, { message: 'Slow', errorType: 'RATE_LIMIT', policyName: 'DAILY' }, { code: 'DAILY' }],
    [401, { message: 'Expired', category: 'EXPIRED_AUTHENTICATION' }, { status: 401 }],
  ])('are read from status %i', async (status, body, failure) => {
    await expect(failing(body, status)).rejects.toMatchObject({ name: 'ProviderError', ...failure });
  });

  it('wait for the interval of a limit, and no longer for that of a day', async () => {
    const headers = { 'x-hubspot-ratelimit-interval-milliseconds': '1234' };
    const limited = { message: 'Slow', errorType: 'RATE_LIMIT', policyName: 'SECONDLY' };
    await expect(
      failing(limited, 429, { ...headers, 'x-hubspot-ratelimit-interval-milliseconds': '60000' }),
    ).rejects.toMatchObject({
      ...{ retryAfter: 60, retryable: true },
    });
    await expect(failing({ ...limited, policyName: 'DAILY' }, 429, headers)).rejects.not.toMatchObject({
      retryAfter: 1.234,
    });
  });
});

it.each([
  [credential, {}],
  [{ type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' } as const, { data: { portalId: '62515' } }],
])('tests a connection and reads its account: $type', async (given, more) => {
  const reply = () => json({ portalId: 62515, uiDomain: 'app-eu1.hubspot.com', timeZone: 'Europe/Berlin' });
  const { received, send, close } = await startThirdParty(reply);
  await testCredential(hubspot, { credential: given, send });
  const account = await readAccount(hubspot, { credential: given, send });
  await close();
  expect(received.map(toLine)).toEqual(['GET /account-info/v3/details', 'GET /account-info/v3/details']);
  expect(JSON.stringify(account)).toContain('app-eu1.hubspot.com 62515');
  expect(account).toMatchObject(more);
});
