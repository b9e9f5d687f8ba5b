import { testCredential, type JsonObject, type JsonValue, openPiece, runAction } from '@drawbridge/piece-kit';
import { json, optionsOf, propsOf, runPiece, toLine, type Setting } from '../../testing/run-piece.js';
import { startThirdParty, type Recorded, type Reply } from '../../testing/third-party.js';
import { itIsAccepted } from '../../testing/witness.js';
import { toFormField } from './form-fields.js';
import { airtable } from './index.js';

const credential = { type: 'SECRET_TEXT', secretText: 'pat_canary' } as const;
const setting: Setting = { piece: airtable, credential };
const [baseId, table, recordId] = ['appLkNDICXNqxSDhG', 'tbltp8DGLhqbUmjK1', 'rec560UJdUtocSouk'];
const place = { baseId, table };
const AT = `/v0/${baseId}/${table}`;
const fields = { Name: 'Tea', Price: 4.5 };
const FIELDS = '{"Name":"Tea","Price":4.5}';

// Each request below has the path, query and body that npm airtable 0.12.2 sends for records, or that the documentation linked above each action
// describes. Airtable publishes no API description, so the check accepts exactly these requests.
const calls = {
  create_record: [
    [{ ...place, fields }, `POST ${AT} {"fields":${FIELDS}}`],
    [{ ...place, fields, typecast: true }, `POST ${AT} {"fields":${FIELDS},"typecast":true}`],
  ],
  create_records: [
    [{ ...place, records: [fields] }, `POST ${AT} {"records":[{"fields":${FIELDS}}]}`],
    [
      { ...place, records: [fields], typecast: false },
      `POST ${AT} {"typecast":false,"records":[{"fields":${FIELDS}}]}`,
    ],
  ],
  update_record: [
    [{ ...place, recordId, fields: { Name: null } }, `PATCH ${AT}/${recordId} {"fields":{"Name":null}}`],
    [{ ...place, recordId, fields, typecast: true }, `PATCH ${AT}/${recordId} {"fields":${FIELDS},"typecast":true}`],
  ],
  upsert_records: [
    [
      { ...place, fieldsToMergeOn: ['Name'], records: [fields] },
      `PATCH ${AT} {"performUpsert":{"fieldsToMergeOn":["Name"]},"records":[{"fields":${FIELDS}}]}`,
    ],
    [
      { ...place, fieldsToMergeOn: ['Name'], records: [fields], typecast: true },
      `PATCH ${AT} {"performUpsert":{"fieldsToMergeOn":["Name"]},"typecast":true,"records":[{"fields":${FIELDS}}]}`,
    ],
  ],
  get_record: [[{ ...place, recordId }, `GET ${AT}/${recordId}`]],
  list_records: [
    [{ ...place }, `POST ${AT}/listRecords {"pageSize":100}`],
    [
      {
        ...{ ...place, view: 'Grid view', filterByFormula: '{Price} > 3', fields: ['Name'], limit: 7 },
        sort: [{ field: 'Name', direction: 'desc' }],
      },
      `POST ${AT}/listRecords {"view":"Grid view","filterByFormula":"{Price} > 3","fields":["Name"],` +
        '"sort":[{"field":"Name","direction":"desc"}],"pageSize":7}',
    ],
  ],
  delete_record: [[{ ...place, recordId }, `DELETE ${AT}/${recordId}`]],
  list_bases: [[{}, 'GET /v0/meta/bases']],
  get_schema: [[{ baseId }, `GET /v0/meta/bases/${baseId}/tables`]],
  add_comment: [
    [{ ...place, recordId, text: 'Hot' }, `POST ${AT}/${recordId}/comments {"text":"Hot"}`],
    [
      { ...place, recordId, text: 'Hot', parentCommentId: 'com1' },
      `POST ${AT}/${recordId}/comments {"text":"Hot","parentCommentId":"com1"}`,
    ],
  ],
  upload_attachment: [
    [
      { ...place, recordId, field: 'Photo 1', file: { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' } },
      `POST /v0/${baseId}/${recordId}/Photo%201/uploadAttachment {"contentType":"text/plain","file":"aGk=","filename":"a.txt"}`,
    ],
  ],
} satisfies Record<string, [JsonObject, string][]>;

const literal: readonly string[] = Object.values(calls).flatMap((cases) => cases.map(([, line]) => line));
const check = (request: Recorded): string[] => (literal.includes(toLine(request)) ? [] : ['is not expected']);

describe('requests', () => itIsAccepted(setting, check, calls));

it('sends files to the origin for content, with the credential in a header', async () => {
  const [input] = calls.upload_attachment[0]!;
  const { urls, received } = await runPiece(setting, 'upload_attachment', input);
  expect(urls).toEqual([`https://content.airtable.com/v0/${baseId}/${recordId}/Photo%201/uploadAttachment`]);
  expect(received[0]?.headers.authorization).toBe('Bearer pat_canary');
});

it('refuses a file above 5 MB before it is sent', async () => {
  const file = { filename: 'a', mimeType: 'text/plain', base64: Buffer.alloc(5 * 1024 * 1024 + 1).toString('base64') };
  const refused = runPiece(setting, 'upload_attachment', { ...place, recordId, field: 'F', file });
  await expect(refused).rejects.toMatchObject({ name: 'InputError', property: 'file' });
});

describe('many records', () => {
  const records = Array.from({ length: 23 }, (_, index) => ({ Name: String(index) }));
  const namesOf = (body: string): string[] =>
    JSON.parse(body).records.map((record: { fields: { Name: string } }) => record.fields.Name);
  const reply = ({ body }: Recorded): Reply => {
    const written = namesOf(body).map((name) => ({ id: `rec${name}`, fields: { Name: name } }));
    const [createdRecords, updatedRecords] = [[written[0]!.id], written.slice(1).map(({ id }) => id)];
    return json({ records: written, createdRecords, updatedRecords });
  };

  it('are created in requests of 10, in their order', async () => {
    const { output, received } = await runPiece({ ...setting, reply }, 'create_records', { ...place, records });
    expect(received.map(({ body }) => namesOf(body).length)).toEqual([10, 10, 3]);
    expect((output.items as JsonObject[]).map(({ id }) => id)).toEqual(records.map(({ Name }) => `rec${Name}`));
  });

  it('are upserted in requests of 10, and the ids of both kinds are returned', async () => {
    const input = { ...place, fieldsToMergeOn: ['Name'], records };
    const { output } = await runPiece({ ...setting, reply }, 'upsert_records', input);
    expect(output.createdRecords).toEqual(['rec0', 'rec10', 'rec20']);
    expect(output.updatedRecords).toHaveLength(20);
    expect(output.records).toHaveLength(23);
  });

  it('say how many were written if a later request fails', async () => {
    const refusal = json({ error: { type: 'INVALID_VALUE_FOR_COLUMN', message: 'Field "Name" is wrong' } }, 422);
    const failing = (request: Recorded): Reply => (request.body.includes('"20"') ? refusal : reply(request));
    const refused = runPiece({ ...setting, reply: failing }, 'create_records', { ...place, records });
    await expect(refused).rejects.toMatchObject({
      message: 'The first 20 of 23 records were written. Then Airtable rejected a record: Field "Name" is wrong',
      ...{ name: 'ProviderError', status: 422, code: 'INVALID_VALUE_FOR_COLUMN', retryable: false },
    });
  });
});

/** Returns fake lists in pages of two items. */
const inPages =
  (items: JsonObject[]) =>
  ({ method, url, body }: Recorded): Reply => {
    const offset =
      method === 'GET' ? new URL(url, 'http://airtable').searchParams.get('offset') : JSON.parse(body).offset;
    const start = Number(offset ?? 0);
    const more = start + 2 < items.length && { offset: String(start + 2) };
    return json({ [method === 'GET' ? 'bases' : 'records']: items.slice(start, start + 2), ...more });
  };

it('reads the pages of a list up to the limit', async () => {
  const items = ['rec1', 'rec2', 'rec3', 'rec4', 'rec5'].map((id) => ({ id }));
  const reply = inPages(items);
  const { output, asked } = await runPiece({ ...setting, reply }, 'list_records', { ...place, limit: 3 });
  expect(output.items).toEqual(items.slice(0, 3));
  expect(asked).toEqual([
    `POST ${AT}/listRecords {"pageSize":3}`,
    `POST ${AT}/listRecords {"pageSize":3,"offset":"2"}`,
  ]);
  const bases = await runPiece({ ...setting, reply }, 'list_bases', {});
  expect(bases.output.items).toEqual(items);
  expect(bases.asked.at(-1)).toBe('GET /v0/meta/bases?offset=4');
});

describe('a failure', () => {
  it.each([
    [403, { error: { type: 'INVALID_PERMISSIONS', message: 'Not permitted' } }, 'INVALID_PERMISSIONS', 'Not permitted'],
    [404, { error: 'NOT_FOUND' }, 'NOT_FOUND', 'NOT_FOUND'],
  ])("with status %i has Airtable's code and message", async (status, body, code, message) => {
    const refused = runPiece({ ...setting, reply: () => json(body, status) }, 'get_record', { ...place, recordId });
    await expect(refused).rejects.toMatchObject({ name: 'ProviderError', status, code, message, retryable: false });
  });

  it.each(['get_record', 'list_records', 'update_record'] as const)(
    'of the rate limit is repeated once after 30 seconds: %s',
    async (name) => {
      const delays = await delaysOf(name, calls[name][0]![0]);
      expect(delays).toEqual([undefined, 30_000]); // A run waits at most 30 seconds in total.
    },
  );

  it('of the rate limit is not repeated for a request that adds a record', async () => {
    expect(await delaysOf('create_record', { ...place, fields })).toEqual([undefined]);
  });
});

/** Returns the delays of the requests in a run in which every response means the rate limit. */
async function delaysOf(name: string, input: JsonObject): Promise<(number | undefined)[]> {
  const { send, close } = await startThirdParty(() => json({}, 429));
  const delays: (number | undefined)[] = [];
  const run = runAction(airtable, name, {
    ...{ input, credential, sendsDelayed: true },
    send: ({ delayMs, ...request }) => {
      delays.push(delayMs);
      return send(request);
    },
  });
  await expect(run).rejects.toMatchObject({ status: 429, retryable: true, retryAfter: 30 });
  await close();
  return delays;
}

it('tests a credential by a request that needs no scope', async () => {
  const { received, send, close } = await startThirdParty(() => json({ id: 'usr1' }));
  const { test } = airtable.auth!;
  expect(test).toBe('/v0/meta/whoami');
  await testCredential(airtable, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual(['GET /v0/meta/whoami']);
});

it('declares OAuth as Airtable documents it', () => {
  expect(airtable.auth?.oauth2).toEqual({
    authUrl: 'https://airtable.com/oauth2/v1/authorize',
    tokenUrl: 'https://airtable.com/oauth2/v1/token',
    scopes: ['data.records:read', 'data.records:write', 'data.recordComments:write', 'schema.bases:read'],
    ...{ pkce: true, clientAuth: 'basic', refresh: 'rotating' },
  });
});

describe('a form', () => {
  const choices = [
    { id: 'sel1', name: 'hot' },
    { id: 'sel2', name: 'iced' },
  ];
  const described: JsonObject[] = [
    { id: 'fld1', name: 'Name', type: 'singleLineText' },
    { id: 'fld2', name: 'Notes', type: 'richText' },
    { id: 'fld3', name: 'Price', type: 'currency', options: { precision: 2, symbol: '€' } },
    { id: 'fld4', name: 'Done', type: 'checkbox' },
    { id: 'fld5', name: 'Due', type: 'dateTime' },
    { id: 'fld6', name: 'Kind', type: 'singleSelect', options: { choices } },
    { id: 'fld7', name: 'Tags', type: 'multipleSelects', options: { choices } },
    { id: 'fld8', name: 'Orders', type: 'multipleRecordLinks' },
    { id: 'fld9', name: 'Photo', type: 'multipleAttachments' },
    { id: 'fld10', name: 'Owner', type: 'singleCollaborator' },
    { id: 'fld11', name: 'Total', type: 'formula' },
    { id: 'fld12', name: 'Changed', type: 'lastModifiedTime', options: { result: { type: 'dateTime' } } },
    { id: 'fld13', name: 'Changed on', type: 'lastModifiedTime', options: { result: { type: 'date' } } },
  ];
  const schema: JsonValue = {
    tables: [
      { id: 'tblother', name: 'Other', primaryFieldId: 'fld', fields: [], views: [] },
      {
        ...{ id: table, name: 'Drinks', primaryFieldId: 'fld1', fields: described },
        views: [{ id: 'viw1', name: 'Grid view', type: 'grid' }],
      },
    ],
  };
  const reply = (request: Recorded): Reply => {
    if (request.url.endsWith('/tables')) return json(schema);
    const items: JsonObject[] =
      request.method === 'GET'
        ? [{ id: baseId, name: 'Shop' }]
        : [
            { id: 'rec1', fields: { Name: 'Tea' } },
            { id: 'rec2', fields: {} },
          ];
    return inPages(items)(request);
  };
  const offered = (operation: string, property: string, input: JsonObject = place, search?: string) =>
    optionsOf({ ...setting, reply }, [operation, property], input, search);

  it.each<[string, string, [string, string][], string]>([
    ['get_schema', 'baseId', [['Shop', baseId]], 'GET /v0/meta/bases'],
    [
      'get_record',
      'table',
      [
        ['Other', 'tblother'],
        ['Drinks', table],
      ],
      `GET /v0/meta/bases/${baseId}/tables`,
    ],
    ['list_records', 'view', [['Grid view', 'viw1']], `GET /v0/meta/bases/${baseId}/tables`],
    ['upload_attachment', 'field', [['Photo', 'Photo']], `GET /v0/meta/bases/${baseId}/tables`],
    [
      'list_records',
      'fields',
      described.map(({ name }) => [String(name), String(name)]),
      `GET /v0/meta/bases/${baseId}/tables`,
    ],
  ])('offers options for %s.%s', async (operation, property, options, asked) => {
    const found = await offered(operation, property);
    expect(found.output).toEqual({ options: options.map(([label, value]) => ({ label, value })), disabled: false });
    expect(found.asked).toEqual([asked]);
  });

  it('offers records by their primary field, and finds them by words', async () => {
    const { output, asked } = await offered('get_record', 'recordId');
    expect(output.options).toEqual([
      { label: 'Tea', value: 'rec1' },
      { label: 'rec2', value: 'rec2' },
    ]);
    expect(asked[1]).toBe(`POST ${AT}/listRecords {"fields":["Name"],"pageSize":100}`);
    const searched = await offered('get_record', 'recordId', { baseId, table: 'Drinks' }, "Tea d'or");
    expect(searched.received[1]?.url).toBe(`${AT}/listRecords`);
    expect(JSON.parse(searched.received[1]!.body).filterByFormula).toBe(
      "AND(SEARCH('tea', LOWER({Name} & '')), SEARCH('d\\'or', LOWER({Name} & '')))",
    );
  });

  it.each<JsonObject>([{}, { baseId: 7, table }, { baseId: '../x', table }, { baseId }])(
    'sends nothing for %j',
    async (input) => {
      for (const property of ['view', 'fields']) {
        const { output, received } = await offered('list_records', property, input);
        expect([output, received]).toEqual([{ options: [], disabled: true }, []]);
      }
    },
  );

  it('has a field for each field that can be written', async () => {
    const { output } = await propsOf({ ...setting, reply }, ['create_record', 'fields'], place);
    expect(Object.entries(output).map(([name, { type }]) => [name, type])).toEqual([
      ...[
        ['Name', 'SHORT_TEXT'],
        ['Notes', 'LONG_TEXT'],
        ['Price', 'NUMBER'],
        ['Done', 'CHECKBOX'],
        ['Due', 'DATE_TIME'],
      ],
      ...[
        ['Kind', 'STATIC_DROPDOWN'],
        ['Tags', 'STATIC_MULTI_SELECT'],
        ['Orders', 'JSON'],
        ['Photo', 'JSON'],
      ],
      ['Owner', 'JSON'],
    ]);
    expect(output['Kind']?.options.map(({ value }) => value)).toEqual(['hot', 'iced']);
    expect((await propsOf({ ...setting, reply }, ['create_record', 'fields'], {})).output).toEqual({});
  });

  it('offers the fields of the last change for the trigger, if they include the time', async () => {
    const { send, close } = await startThirdParty(reply);
    const context = { http: openPiece(airtable, { send }), search: undefined, auth: undefined, signal: undefined };
    const options = await airtable.triggers?.['record_changed']?.props['field']?.loadOptions?.({
      ...context,
      input: place,
    });
    await close();
    expect(options).toEqual([{ label: 'Changed', value: 'Changed' }]);
  });
});

// Lists the types of fields: https://airtable.com/developers/web/api/field-model
it.each<[string, string[]]>([
  ['SHORT_TEXT', ['singleLineText', 'email', 'url', 'phoneNumber', 'date', 'singleSelect']],
  ['LONG_TEXT', ['multilineText', 'richText']],
  ['NUMBER', ['number', 'currency', 'percent', 'duration', 'rating']],
  ['CHECKBOX', ['checkbox']],
  ['DATE_TIME', ['dateTime']],
  [
    'JSON',
    [
      ...['multipleSelects', 'multipleRecordLinks', 'multipleCollaborators', 'singleCollaborator', 'barcode'],
      'multipleAttachments',
    ],
  ],
])('shows %s for the field types %j', (shown, types) => {
  expect(types.map((type) => toFormField({ id: 'fld1', name: 'F', type, options: undefined })?.type)).toEqual(
    types.map(() => shown),
  );
});

it.each([
  ...['aiText', 'autoNumber', 'button', 'count', 'createdBy', 'createdTime', 'formula', 'lastModifiedBy'],
  ...['lastModifiedTime', 'multipleLookupValues', 'rollup', 'externalSyncSource'],
])('shows nothing for %s, which Airtable computes', (type) => {
  expect(toFormField({ id: 'fld1', name: 'F', type, options: undefined })).toBeUndefined();
});
