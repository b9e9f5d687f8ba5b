import { type Credential, type JsonObject, readAccount, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, propsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { hubspot } from './index.js';

const description = readDescription('hubspot');
const described = by(description);
const credential: Credential = { type: 'SECRET_TEXT', secretText: 'canary' };
const setting: Setting = { piece: hubspot, credential, reply: () => json({ id: '7', results: [] }) };
const AT = '/crm/v3/objects';

/** Lists and associations have other descriptions: their requests have no query, and a list of ids as the body. */
function check(request: Recorded): string[] {
  const { pathname, searchParams } = new URL(request.url, 'https://api.hubapi.com');
  if (pathname.startsWith(AT)) return described(request);
  const isList = request.body === '' || Array.isArray(JSON.parse(request.body));
  return [...searchParams.keys(), ...(isList ? [] : ['the body is no list'])];
}

const fields = {
  firstname: 'Ada',
  lastname: 'Lee',
  phone: '555',
  company: 'X',
  jobtitle: 'CEO',
  hubspot_owner_id: '3',
};
const contact = { ...fields, properties: { lifecyclestage: 'lead', hobbies: ['tea', 'chess'], firstname: 'Other' } };
const CONTACT =
  '"lifecyclestage":"lead","hobbies":"tea;chess","firstname":"Ada","lastname":"Lee","phone":"555","company":"X",' +
  '"jobtitle":"CEO","hubspot_owner_id":"3"';
const CREATED =
  '"lifecyclestage":"lead","hobbies":"tea;chess","firstname":"Ada","email":"a@x.example","lastname":"Lee","phone":"555",' +
  '"company":"X","jobtitle":"CEO","hubspot_owner_id":"3"';
const deal = {
  ...{ amount: 12.5, pipeline: 'default', dealstage: 'closedwon', closedate: '2026-01-31T09:00:00Z' },
  ...{ hubspot_owner_id: '3', properties: { dealtype: 'newbusiness' } },
};
const DEAL =
  '"amount":"12.5","pipeline":"default","dealstage":"closedwon","closedate":"2026-01-31T09:00:00Z","hubspot_owner_id":"3"';
const about = (id: number): string =>
  `"associations":[{"to":{"id":"7"},"types":[{"associationCategory":"HUBSPOT_DEFINED","associationTypeId":${id}}]}]`;

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_contact: [
      [{ email: 'a@x.example' }, `POST ${AT}/contacts {"properties":{"email":"a@x.example"},"associations":[]}`],
      [{ email: 'a@x.example', ...contact }, `POST ${AT}/contacts {"properties":{${CREATED}},"associations":[]}`],
    ],
    update_contact: [
      [{ contact_id: '7' }, `PATCH ${AT}/contacts/7 {"properties":{}}`],
      [{ contact_id: '7', email: 'a@x.example', ...contact }, `PATCH ${AT}/contacts/7 {"properties":{${CREATED}}}`],
    ],
    upsert_contact: [
      [
        { email: 'a@x.example' },
        `POST ${AT}/contacts/batch/upsert {"inputs":[{"id":"a@x.example","idProperty":"email","properties":{}}]}`,
      ],
      [
        { email: 'a@x.example', ...contact },
        `POST ${AT}/contacts/batch/upsert {"inputs":[{"id":"a@x.example","idProperty":"email","properties":{${CONTACT}}}]}`,
      ],
    ],
    search: [
      [
        { object_type: 'contacts' },
        `POST ${AT}/contacts/search {"filterGroups":[],"sorts":[],"properties":[],"limit":20,"after":"0"}`,
      ],
      [
        {
          ...{ object_type: 'deals', query: 'tea', properties: ['amount'], limit: 500 },
          filters: [{ propertyName: 'amount', operator: 'BETWEEN', value: '1', highValue: '9' }],
        },
        `POST ${AT}/deals/search {"query":"tea","filterGroups":[{"filters":[{"propertyName":"amount","operator":"BETWEEN",` +
          '"value":"1","highValue":"9"}]}],"sorts":[],"properties":["amount"],"limit":100,"after":"0"}',
      ],
    ],
    get_record: [
      [{ object_type: 'tickets', record_id: '7' }, `GET ${AT}/tickets/7`],
      [
        {
          object_type: 'contacts',
          record_id: '7',
          properties: ['email', 'phone'],
          associations: ['deals', 'companies'],
        },
        `GET ${AT}/contacts/7?properties=email%2Cphone&associations=deals%2Ccompanies`,
      ],
    ],
    create_company: [
      [{ name: 'X' }, `POST ${AT}/companies {"properties":{"name":"X"},"associations":[]}`],
      [
        {
          ...{ name: 'X', domain: 'x.example', phone: '555', city: 'Ulm', hubspot_owner_id: '3' },
          properties: { industry: 'ACCOUNTING' },
        },
        `POST ${AT}/companies {"properties":{"industry":"ACCOUNTING","name":"X","domain":"x.example","phone":"555",` +
          '"city":"Ulm","hubspot_owner_id":"3"},"associations":[]}',
      ],
    ],
    create_deal: [
      [{ dealname: 'Tea' }, `POST ${AT}/deals {"properties":{"dealname":"Tea"},"associations":[]}`],
      [
        { dealname: 'Tea', ...deal },
        `POST ${AT}/deals {"properties":{"dealtype":"newbusiness","dealname":"Tea",${DEAL}},"associations":[]}`,
      ],
    ],
    update_deal: [
      [{ deal_id: '7' }, `PATCH ${AT}/deals/7 {"properties":{}}`],
      [
        { deal_id: '7', dealname: 'Tea', ...deal },
        `PATCH ${AT}/deals/7 {"properties":{"dealtype":"newbusiness","dealname":"Tea",${DEAL}}}`,
      ],
    ],
    associate: [
      [
        { from_type: 'contacts', from_id: '7', to_type: 'companies', to_id: '8' },
        'PUT /crm/v4/objects/contacts/7/associations/default/companies/8',
      ],
    ],
    create_note: [
      [
        { object_type: 'contacts', record_id: '7', body: 'Hi' },
        expect.stringMatching(
          new RegExp(`^POST ${AT}/notes \\{"properties":\\{"hs_note_body":"Hi","hs_timestamp":"20\\d\\d-[^"]*Z"\\},`),
        ) as unknown as string,
      ],
      [
        { object_type: 'companies', record_id: '7', body: 'Hi', time: '2026-01-31T09:00:00Z', hubspot_owner_id: '3' },
        `POST ${AT}/notes {"properties":{"hs_note_body":"Hi","hs_timestamp":"2026-01-31T09:00:00Z",` +
          `"hubspot_owner_id":"3"},${about(190)}}`,
      ],
    ],
    create_task: [
      [
        { object_type: 'deals', record_id: '7', subject: 'Call', due: '2026-01-31T09:00:00Z' },
        `POST ${AT}/tasks {"properties":{"hs_task_subject":"Call","hs_timestamp":"2026-01-31T09:00:00Z",` +
          `"hs_task_status":"NOT_STARTED"},${about(216)}}`,
      ],
      [
        {
          ...{ object_type: 'contacts', record_id: '7', subject: 'Call', due: '2026-01-31T09:00:00Z' },
          ...{ body: 'Soon', priority: 'HIGH', hubspot_owner_id: '3' },
        },
        `POST ${AT}/tasks {"properties":{"hs_task_subject":"Call","hs_timestamp":"2026-01-31T09:00:00Z",` +
          `"hs_task_status":"NOT_STARTED","hs_task_body":"Soon","hs_task_priority":"HIGH","hubspot_owner_id":"3"},${about(204)}}`,
      ],
    ],
    add_to_list: [[{ list_id: '9', record_ids: ['1', '2'] }, 'PUT /crm/v3/lists/9/memberships/add ["1","2"]']],
  });
});

it('returns the properties of a record that have a value', async () => {
  const record = { id: '7', properties: { email: 'a@x.example', phone: null }, archived: false, updatedAt: 'u' };
  const { output } = await runPiece({ ...setting, reply: () => json(record) }, 'get_record', {
    ...{ object_type: 'contacts', record_id: '7' },
  });
  expect(output).toEqual({ id: '7', archived: false, updatedAt: 'u', properties: { email: 'a@x.example' } });
  const body = { ...record, properties: { email: 'a@x.example' } };
  expect(checkResponse(description, 'GET /crm/v3/objects/{objectType}/{objectId}', body)).toEqual([]);
});

it('reads the pages of a search by a token in the body', async () => {
  const reply = ({ body }: Recorded): Reply =>
    body.includes('"after":"100"')
      ? json({ results: [{ id: '2' }] })
      : json({ results: [{ id: '1' }], paging: { next: { after: '100' } } });
  const { output, received } = await runPiece({ ...setting, reply }, 'search', { object_type: 'contacts' });
  expect((output['items'] as JsonObject[]).map(({ id }) => id)).toEqual(['1', '2']);
  expect(received.flatMap(check)).toEqual([]);
});

it('offers the properties that can be set', async () => {
  const options = [
    { label: 'Lead', value: 'lead' },
    { label: 'Old', value: 'old', hidden: true },
  ];
  const results = [
    ...[
      { name: 'a', type: 'string' },
      { name: 'b', type: 'string', fieldType: 'textarea' },
      { name: 'c', type: 'number' },
    ],
    ...[
      { name: 'd', type: 'bool' },
      { name: 'e', type: 'datetime' },
      { name: 'f', type: 'enumeration', options },
    ],
    ...[
      { name: 'g', type: 'enumeration', fieldType: 'checkbox', options },
      { name: 'h', type: 'object_coordinates' },
    ],
    ...[
      { name: 'i', type: 'string', modificationMetadata: { readOnlyValue: true } },
      { name: 'j', type: 'string', hidden: true },
    ],
    { name: 'k', type: 'number', calculated: true },
  ];
  const { output, asked } = await propsOf({ ...setting, reply: () => json({ results }) }, [
    'create_contact',
    'properties',
  ]);
  expect(Object.fromEntries(Object.entries(output).map(([name, { type }]) => [name, type]))).toEqual({
    ...{ a: 'SHORT_TEXT', b: 'LONG_TEXT', c: 'NUMBER', d: 'CHECKBOX', e: 'DATE_TIME' },
    ...{ f: 'STATIC_DROPDOWN', g: 'STATIC_MULTI_SELECT' },
  });
  expect(output['f']!.options).toEqual([{ label: 'Lead', value: 'lead' }]);
  expect(asked).toEqual(['GET /crm/v3/properties/contacts']);
});

it.each([
  ['create_contact', 'hubspot_owner_id', {}, { results: [{ id: '1', email: 'A' }] }],
  ['create_deal', 'pipeline', {}, { results: [{ id: '1', label: 'A' }] }],
  [
    ...['create_deal', 'dealstage'],
    { pipeline: 'p2' },
    {
      results: [
        { id: 'p1', stages: [{ id: '0', label: 'B' }] },
        { id: 'p2', stages: [{ id: '1', label: 'A' }] },
      ],
    },
  ],
] as [string, string, JsonObject, object][])('offers the options of %s.%s', async (action, property, input, body) => {
  const { output } = await optionsOf({ ...setting, reply: () => json(body) }, [action, property], input);
  expect(output.options).toEqual([{ label: 'A', value: '1' }]);
});

it('reports the category of a failure, and waits at a limit', async () => {
  const body = { status: 'error', message: 'Contact already exists', category: 'CONFLICT' };
  const failing = (status: number) => ({ ...setting, reply: () => json(body, status) });
  const input = { email: 'a@x.example' };
  await expect(runPiece(failing(409), 'create_contact', input)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: 'Contact already exists', retryable: false },
  });
  await expect(runPiece(failing(429), 'create_contact', input)).rejects.toMatchObject({ retryAfter: 10 });
});

it('tests a credential and names the account', async () => {
  const { received, send, close } = await startThirdParty(() => json({ portalId: 62515 }));
  await testCredential(hubspot, { credential, send });
  expect(await readAccount(hubspot, { credential, send })).toEqual({ data: {}, label: 'Account 62515' });
  await close();
  expect(received.map(toLine)).toEqual(['GET /account-info/v3/details', 'GET /account-info/v3/details']);
});
