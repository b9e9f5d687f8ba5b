import {
  type Credential,
  isCredentialRefused,
  type JsonObject,
  ProviderError,
  testCredential,
} from '@drawbridge/piece-kit';
import { json, optionsOf, propsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itSends } from '../../testing/witness.js';
import { salesforce } from './index.js';

const instanceUrl = 'https://acme.my.salesforce.com';
const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data: { instanceUrl } };
const setting: Setting = { piece: salesforce, credential, reply: () => json({ id: '069', success: true, errors: [] }) };
const AT = '/services/data/v66.0';
const ID = '001xx000003DGb0AAG';
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };

describe('requests', () => {
  itSends(setting, {
    create_record: [
      [
        { object: 'Invoice__c', fields: { Name: 'A', Tags__c: ['x', 'y'], Count__c: 2 } },
        `POST ${AT}/sobjects/Invoice__c {"Name":"A","Tags__c":"x;y","Count__c":2}`,
      ],
    ],
    update_record: [
      [{ object: 'Account', id: ID, fields: { Name: 'B' } }, `PATCH ${AT}/sobjects/Account/${ID} {"Name":"B"}`],
    ],
    upsert_record: [
      [
        { object: 'Account', external_field: 'Number__c', external_value: 'a/7', fields: { Name: 'B' } },
        `PATCH ${AT}/sobjects/Account/Number__c/a%2F7 {"Name":"B"}`,
      ],
    ],
    get_record: [
      [{ object: 'Account', id: ID }, `GET ${AT}/sobjects/Account/${ID}`],
      [
        { object: 'Account', id: ID, fields: ['Name', 'Owner.Name'] },
        `GET ${AT}/sobjects/Account/${ID}?fields=Name%2COwner.Name`,
      ],
    ],
    delete_record: [[{ object: 'Account', id: ID }, `DELETE ${AT}/sobjects/Account/${ID}`]],
    query: [
      [{ soql: 'SELECT Id FROM Account' }, `GET ${AT}/query?q=SELECT+Id+FROM+Account`],
      [{ soql: 'SELECT Id FROM Account', limit: 5 }, `GET ${AT}/query?q=SELECT+Id+FROM+Account`],
    ],
    search: [
      [
        { object: 'Account', text: 'Acme' },
        `GET ${AT}/parameterizedSearch?q=Acme&sobject=Account&Account.fields=Id%2CName&Account.limit=200`,
      ],
      [
        { object: 'Account', text: 'Acme', fields: ['Phone'], limit: 5 },
        `GET ${AT}/parameterizedSearch?q=Acme&sobject=Account&Account.fields=Phone&Account.limit=5`,
      ],
    ],
    add_task: [
      [{ subject: 'Call' }, `POST ${AT}/sobjects/Task {"Subject":"Call"}`],
      [
        {
          ...{ subject: 'Call', description: 'Now', due: '2026-01-31', who: ID, what: ID, owner: ID },
          ...{ status: 'Not Started', priority: 'High' },
        },
        `POST ${AT}/sobjects/Task {"Subject":"Call","Description":"Now","ActivityDate":"2026-01-31","WhoId":"${ID}",` +
          `"WhatId":"${ID}","OwnerId":"${ID}","Status":"Not Started","Priority":"High"}`,
      ],
    ],
    add_note: [
      [
        { record_id: ID, title: 'Call', text: 'a < b > c\n& d' },
        `POST ${AT}/sobjects/ContentNote {"Title":"Call","Content":"${Buffer.from('a &lt; b &gt; c<br>&amp; d').toString('base64')}"}`,
        `POST ${AT}/sobjects/ContentDocumentLink {"ContentDocumentId":"069","LinkedEntityId":"${ID}","ShareType":"V"}`,
      ],
    ],
    describe_object: [[{ object: 'Account' }, `GET ${AT}/sobjects/Account/describe`]],
    run_report: [[{ report_id: ID }, `GET ${AT}/analytics/reports/${ID}?includeDetails=true`]],
    upload_file: [
      [{ file }, `POST ${AT}/sobjects/ContentVersion {"Title":"a.txt","PathOnClient":"a.txt","VersionData":"aGk="}`],
      [
        { file, record_id: ID },
        `POST ${AT}/sobjects/ContentVersion {"Title":"a.txt","PathOnClient":"a.txt","VersionData":"aGk=",` +
          `"FirstPublishLocationId":"${ID}"}`,
      ],
    ],
  });
});

it('sends requests to the address that the token response named', async () => {
  const { urls } = await runPiece(setting, 'get_record', { object: 'Account', id: ID });
  expect(urls).toEqual([`${instanceUrl}${AT}/sobjects/Account/${ID}`]);
});

describe('outputs', () => {
  const output = async (name: string, input: JsonObject, body: unknown, status = 200) =>
    (await runPiece({ ...setting, reply: () => json(body, status) }, name, input)).output;
  const attributes = { type: 'Account', url: '/x' };

  it('has records without metadata', async () => {
    const record = { attributes, Id: ID, Owner: { attributes: { type: 'User' }, Name: 'Ada' }, Tags: null };
    const short = { Id: ID, Owner: { Name: 'Ada' }, Tags: null };
    expect(await output('get_record', { object: 'Account', id: ID }, record)).toEqual(short);
    expect(await output('query', { soql: 'x' }, { records: [record] })).toEqual({ items: [short] });
    expect(await output('search', { object: 'Account', text: 'Acme' }, { searchRecords: [record] })).toEqual({
      items: [short],
    });
  });

  it('has the id of a changed record, although the response is empty', async () => {
    const reply = (): Reply => ({ status: 204, body: '' });
    const input = { object: 'Account', id: ID, fields: { Name: 'B' } };
    expect((await runPiece({ ...setting, reply }, 'update_record', input)).output).toEqual({ id: ID });
  });

  it('has the rows and totals of a report', async () => {
    const cell = (label: string) => ({ label, value: label });
    const report = {
      allData: true,
      reportMetadata: { name: 'Open', detailColumns: ['ACCOUNT.NAME', 'AMOUNT'] },
      reportExtendedMetadata: { detailColumnInfo: { 'ACCOUNT.NAME': { label: 'Account' } } },
      factMap: {
        'T!T': { aggregates: [cell('$5')], rows: [] },
        '0!T': { aggregates: [cell('$5')], rows: [{ dataCells: [cell('Acme'), cell('$5')] }] },
      },
    };
    expect(await output('run_report', { report_id: ID }, report)).toEqual({
      ...{ name: 'Open', isComplete: true, totals: ['$5'] },
      rows: [{ Account: 'Acme', AMOUNT: '$5' }],
    });
  });

  it('has the groups of each row, and tells columns with the same label apart', async () => {
    const cell = (label: string) => ({ label });
    const rows = (name: string) => ({ rows: [{ dataCells: [cell(name), cell('Bob')] }] });
    const group = (key: string, label: string, groupings: object[] = []) => ({ key, label, groupings });
    const report = {
      reportMetadata: {
        detailColumns: ['ACCOUNT.NAME', 'CONTACT.NAME'],
        groupingsDown: [{ name: 'INDUSTRY' }, { name: 'STAGE' }],
        groupingsAcross: [{ name: 'YEAR' }],
      },
      reportExtendedMetadata: {
        detailColumnInfo: { 'ACCOUNT.NAME': { label: 'Name' }, 'CONTACT.NAME': { label: 'Name' } },
        groupingColumnInfo: { INDUSTRY: { label: 'Industry' }, STAGE: { label: 'Stage' } },
      },
      groupingsDown: { groupings: [group('0', 'Energy'), group('1', 'Food', [group('1_0', 'Won')])] },
      groupingsAcross: { groupings: [group('0', '2026')] },
      factMap: { 'T!T': { rows: [] }, '0!T': rows('Acme'), '1_0!0': rows('Beta') },
    };
    expect((await output('run_report', { report_id: ID }, report))['rows']).toEqual([
      { Industry: 'Energy', 'Name (ACCOUNT.NAME)': 'Acme', 'Name (CONTACT.NAME)': 'Bob' },
      { Industry: 'Food', Stage: 'Won', YEAR: '2026', 'Name (ACCOUNT.NAME)': 'Beta', 'Name (CONTACT.NAME)': 'Bob' },
    ]);
  });

  it('has the fields of an object with their values', async () => {
    const fields = [
      {
        ...{ name: 'Name', label: 'Name', type: 'string', length: 80, nillable: false, createable: true },
        ...{ updateable: true, externalId: false, referenceTo: [], byteLength: 9, picklistValues: [] },
      },
      {
        name: 'Stage',
        label: 'Stage',
        type: 'picklist',
        picklistValues: [{ label: 'Won', value: 'won', active: true }],
      },
    ];
    expect(await output('describe_object', { object: 'Account' }, { fields })).toEqual({
      items: [
        {
          ...{ name: 'Name', label: 'Name', type: 'string', length: 80, nillable: false, createable: true },
          ...{ updateable: true, externalId: false, referenceTo: [] },
        },
        { name: 'Stage', label: 'Stage', type: 'picklist', values: [{ label: 'Won', value: 'won', active: true }] },
      ],
    });
  });
});

it('reads the pages of a query', async () => {
  const reply = ({ url }: Recorded): Reply =>
    url.endsWith('/query/01g-2000')
      ? json({ records: [{ Id: '2' }] })
      : json({ records: [{ Id: '1' }], nextRecordsUrl: `${AT}/query/01g-2000` });
  const { output, asked } = await runPiece({ ...setting, reply }, 'query', { soql: 'SELECT Id FROM Account' });
  expect(output).toEqual({ items: [{ Id: '1' }, { Id: '2' }] });
  expect(asked[1]).toBe(`GET ${AT}/query/01g-2000`);
});

describe('a form', () => {
  it('offers the objects that can be queried', async () => {
    const sobjects = [
      { name: 'Account', label: 'Account', queryable: true },
      { name: 'Feed', label: 'Feed', queryable: false },
    ];
    const { output, asked } = await optionsOf({ ...setting, reply: () => json({ sobjects }) }, [
      'get_record',
      'object',
    ]);
    expect([output.options, asked]).toEqual([[{ label: 'Account', value: 'Account' }], [`GET ${AT}/sobjects`]]);
  });

  const PROPERTIES: Record<string, string> = {
    ...{ string: 'SHORT_TEXT', email: 'SHORT_TEXT', phone: 'SHORT_TEXT', url: 'SHORT_TEXT', combobox: 'SHORT_TEXT' },
    ...{ encryptedstring: 'SHORT_TEXT', id: 'SHORT_TEXT', textarea: 'LONG_TEXT', boolean: 'CHECKBOX' },
    ...{ int: 'NUMBER', long: 'NUMBER', double: 'NUMBER', currency: 'NUMBER', percent: 'NUMBER' },
    ...{ date: 'SHORT_TEXT', datetime: 'DATE_TIME', picklist: 'STATIC_DROPDOWN', multipicklist: 'STATIC_MULTI_SELECT' },
  };
  const types = Object.keys(PROPERTIES);
  const field = (type: string, changes: object = {}) => ({
    ...{ name: type, label: type, type, createable: true, updateable: false },
    picklistValues: [
      { value: 'a', active: true },
      { value: 'b', active: false },
    ],
    ...changes,
  });

  it.each([
    ['create_record', types],
    ['upsert_record', types],
    ['update_record', ['reference']],
  ])('has a field for each field that %s can set', async (action, expected) => {
    const fields = [
      ...types.map((type) => field(type)),
      field('base64'),
      field('reference', { createable: false, updateable: true }),
    ];
    const reply = () => json({ fields });
    const { output, asked } = await propsOf({ ...setting, reply }, [action, 'fields'], { object: 'Account' });
    expect(asked).toEqual([`GET ${AT}/sobjects/Account/describe`]);
    expect(Object.keys(output)).toEqual(expected);
    if (action === 'update_record') return;
    expect(Object.fromEntries(Object.entries(output).map(([name, { type }]) => [name, type]))).toEqual(PROPERTIES);
    expect(output['picklist']?.options).toEqual([{ label: 'a', value: 'a' }]);
  });

  it.each<JsonObject>([{}, { object: 7 }, { object: '../x' }, { object: 'a b' }])(
    'sends nothing for %j',
    async (input) => {
      const { output, asked } = await propsOf(setting, ['create_record', 'fields'], input);
      expect([output, asked]).toEqual([{}, []]);
    },
  );
});

describe('a failure', () => {
  it('has the message and the code of the list', async () => {
    const body = [
      { message: 'Required fields are missing: [Name]', errorCode: 'REQUIRED_FIELD_MISSING', fields: ['Name'] },
    ];
    const run = runPiece({ ...setting, reply: () => json(body, 400) }, 'query', { soql: 'x' });
    await expect(run).rejects.toMatchObject({ message: body[0]!.message, code: 'REQUIRED_FIELD_MISSING', status: 400 });
  });

  it.each([
    [503, 'SERVER_UNAVAILABLE', {}, { retryable: true, retryAfter: 2 }],
    // The limit per day does not end during a run.
    [403, 'REQUEST_LIMIT_EXCEEDED', { 'retry-after': '1' }, { retryable: false }],
  ])('with status %i and %s can be repeated: %j', async (status, errorCode, headers, expected) => {
    const reply = () => json([{ message: 'Busy', errorCode }], status, headers);
    const input = { object: 'Account', fields: { Name: 'A' } };
    await expect(runPiece({ ...setting, reply }, 'create_record', input)).rejects.toMatchObject(expected);
  });

  it.each([
    ['INVALID_SESSION_ID', true],
    ['OTHER', false],
  ])('401 with %s refuses the credential: %s', (code, expected) => {
    expect(isCredentialRefused(salesforce, new ProviderError('No', { status: 401, code }))).toBe(expected);
  });
});

it('says which fields a search returns if none are given', () => {
  const { description } = salesforce.actions['search']!.props['fields']!;
  expect(description).toContain('Defaults to Id and Name');
});

it('tests a credential by the limits', async () => {
  const { received, send, close } = await startThirdParty(() => json({}));
  await testCredential(salesforce, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual([`GET ${AT}/limits`]);
});

it.each([
  ...['login', 'test', 'acme.my', 'acme--dev.sandbox.my', 'a-b.develop.my'].map((value) => [value, true] as const),
  ...['evil.com', 'acme', 'login.evil', 'acme.my.evil.com', 'a/b.my', ''].map((value) => [value, false] as const),
])('accepts the domain %j: %s', (value, expected) => {
  expect(new RegExp(`^(?:${salesforce.auth?.account?.['domain']?.pattern})$`).test(value)).toBe(expected);
});

it('has the addresses of the domain, and sends requests to the one of the account', () => {
  expect(salesforce.auth?.oauth2).toEqual({
    authUrl: 'https://{domain}.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://{domain}.salesforce.com/services/oauth2/token',
    ...{ scopes: ['api', 'refresh_token'], pkce: true, keep: { instanceUrl: 'instance_url' } },
    revoke: { url: 'https://{domain}.salesforce.com/services/oauth2/revoke' },
  });
  expect(salesforce.origin).toBe('{instanceUrl}');
});

it.each([
  ['create_record', 'write', false],
  ['update_record', 'write', true],
  ['upsert_record', 'write', true],
  ['delete_record', 'delete', false],
  ['add_task', 'write', false],
  ['add_note', 'write', false],
  ['upload_file', 'write', false],
])('%s has the category %s', (name, category, idempotent) => {
  expect(salesforce.actions[name]).toMatchObject({ category, idempotent });
});

it('bounds names, ids and the number of records', () => {
  const { props } = salesforce.actions['get_record']!;
  const accepts = (property: string, values: string[]) =>
    values.map((value) => new RegExp((props[property]?.schema as { pattern: string }).pattern).test(value));
  expect(accepts('object', ['Account', 'ns__Invoice__c', 'a/b', '..', 'a.b'])).toEqual([
    ...[true, true, false, false, false],
  ]);
  expect(accepts('id', [ID, ID.slice(0, 15), `${ID.slice(0, 15)}/x`, ID.slice(0, 16)])).toEqual([
    ...[true, true, false, false],
  ]);
  expect(salesforce.actions['query']?.props['limit']?.schema).toMatchObject({ minimum: 1, maximum: 2_000 });
  const { options } = salesforce.actions['add_task']!.props['priority']!;
  expect(options.map(({ value }) => value)).toEqual(['High', 'Normal', 'Low']);
});
