import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { asGoogle } from '../../testing/vendors/google-sheets.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { googleSheets } from './index.js';

const description = readDescription('google-sheets', 'sheets');
const check = by(description, readDescription('google-sheets', 'drive'));
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;

const SPREADSHEET = {
  sheets: [
    { properties: { sheetId: 0, title: 'Old', index: 0, sheetType: 'GRID', hidden: true } },
    { properties: { sheetId: 7, title: "Bo's", index: 1, gridProperties: { rowCount: 1000, columnCount: 26 } } },
  ],
};
const ADDED = { replies: [{ addSheet: { properties: { sheetId: 8, title: 'New', index: 2 } } }] };
const COPIED = { sheetId: 9, title: "Copy of Bo's", index: 2 };
const FOUND = {
  valueRanges: [
    { valueRange: { range: "'Bo''s'!A4:D5", values: [['Bo', 'BO@acme.example', '', true], ['Di']] } },
    { valueRange: { range: "'Bo''s'!A2:D2", values: [['Ann', 'ann@acme.example', 3]] } },
  ],
};

/** Responds to requests for whole sheets, and to requests for cells as `cells` does. */
const replyWith =
  (cells = asGoogle()) =>
  (request: Recorded): Reply => {
    if (request.url.includes(':batchGetByDataFilter')) return json(FOUND);
    if (request.url.includes('/values:batchUpdate')) return json({ responses: [{ updatedRange: "'Bo''s'!A2" }, {}] });
    if (request.url.includes(':batchUpdate')) return json(ADDED);
    if (request.url.includes(':copyTo')) return json(COPIED);
    return request.url.startsWith('/v4/spreadsheets/s1?') ? json(SPREADSHEET) : cells(request);
  };

const setting = { piece: googleSheets, credential, reply: replyWith() };
const place = { spreadsheetId: 's1', sheet: "Bo's" };
const at = (range: string): string => `/v4/spreadsheets/s1/values/'Bo''s'!${range}`;
const header = `GET ${at('1%3A1')}`;
const thirdRow = `GET ${at('3%3A3')}`;
const sheetIds = 'GET /v4/spreadsheets/s1?fields=sheets.properties%28sheetId%2Ctitle%29';
const width = 'GET /v4/spreadsheets/s1?fields=sheets.properties%28title%2CgridProperties.columnCount%29';
const byFilter = 'POST /v4/spreadsheets/s1/values:batchGetByDataFilter';

describe('requests', () => {
  itIsAccepted(setting, check, {
    append_row: [
      [
        { ...place, values: { Name: 'Cy' } },
        header,
        `POST ${at('A1:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS')} {"values":[["Cy"]]}`,
      ],
      [
        { ...place, values: { Email: 'cy@acme.example', F: '=1+1', D: false }, valueInputOption: 'USER_ENTERED' },
        header,
        width,
        `POST ${at('A1:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS')} ` +
          '{"values":[[null,"cy@acme.example",null,false,null,"=1+1"]]}',
      ],
      [
        { ...place, headerRow: 3, values: { B: 'x' } },
        thirdRow,
        width,
        `POST ${at('A3:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS')} {"values":[[null,"x"]]}`,
      ],
    ],
    append_rows: [
      [
        { ...place, rows: [{ Name: 'Cy' }, { D: 1, Email: 'x' }] },
        header,
        `POST ${at('A1:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS')} ` +
          '{"values":[["Cy"],[null,"x",null,1]]}',
      ],
      [
        { ...place, rows: [{ A: '=1+1' }], headerRow: 3, valueInputOption: 'USER_ENTERED' },
        thirdRow,
        width,
        `POST ${at('A3:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS')} {"values":[["=1+1"]]}`,
      ],
    ],
    update_row: [
      [
        { ...place, row: 4, values: { Email: '', Name: null } },
        header,
        `PUT ${at('A4%3AB4?valueInputOption=RAW')} {"values":[[null,""]]}`,
      ],
      [{ ...place, row: 4, values: {}, valueInputOption: 'RAW', headerRow: 3 }, thirdRow],
    ],
    update_rows: [
      [
        {
          ...place,
          rows: [
            { row: 2, values: { Name: 'Ann' } },
            { row: 3, values: {} },
            { row: 4, values: { C: 1 } },
          ],
        },
        header,
        'POST /v4/spreadsheets/s1/values:batchUpdate {"valueInputOption":"RAW","data":[' +
          `{"range":"'Bo''s'!A2:A2","values":[["Ann"]]},{"range":"'Bo''s'!A4:C4","values":[[null,null,1]]}]}`,
      ],
      [{ ...place, rows: [{ row: 4, values: {} }], headerRow: 3 }, thirdRow],
      [
        { ...place, rows: [{ row: 4, values: { A: '=1' } }], valueInputOption: 'USER_ENTERED' },
        header,
        'POST /v4/spreadsheets/s1/values:batchUpdate {"valueInputOption":"USER_ENTERED","data":[' +
          `{"range":"'Bo''s'!A4:A4","values":[["=1"]]}]}`,
      ],
    ],
    get_rows: [
      [place, header, `GET ${at('2%3A101')}`],
      [
        { ...place, firstRow: 3, limit: 10, render: 'UNFORMATTED_VALUE' },
        header,
        `GET ${at('3%3A12?valueRenderOption=UNFORMATTED_VALUE')}`,
      ],
      [{ ...place, headerRow: 3 }, thirdRow, `GET ${at('4%3A103')}`],
    ],
    get_range: [
      [{ ...place, range: 'B2:D' }, `GET ${at('B2%3AD')}`],
      [{ ...place, range: 'C:C', render: 'FORMULA' }, `GET ${at('C%3AC?valueRenderOption=FORMULA')}`],
    ],
    find_row: [
      [{ ...place, column: 'Email', value: 'bo@acme.example' }, header, `GET ${at('B2%3AB')}`],
      [
        { ...place, column: 'Email', value: 'bo@acme.example', match: 'contains' },
        header,
        `GET ${at('B2%3AB')}`,
        `GET ${at('4%3A4')}`,
      ],
      [{ ...place, column: 'B', value: 'x', headerRow: 3 }, thirdRow, width, `GET ${at('B4%3AB')}`],
    ],
    find_rows: [
      [
        { ...place, column: 'Name', value: 'Bo' },
        header,
        `GET ${at('A2%3AA')}`,
        `${byFilter} {"dataFilters":[{"a1Range":"'Bo''s'!4:4"}]}`,
      ],
      [
        { ...place, column: 'Email', value: 'ACME', match: 'contains', limit: 2 },
        header,
        `GET ${at('B2%3AB')}`,
        `${byFilter} {"dataFilters":[{"a1Range":"'Bo''s'!2:2"},{"a1Range":"'Bo''s'!4:4"}]}`,
      ],
      [
        { ...place, column: 'Email', value: 'acme', match: 'contains', limit: 1 },
        header,
        `GET ${at('B2%3AB')}`,
        `${byFilter} {"dataFilters":[{"a1Range":"'Bo''s'!2:2"}]}`,
      ],
      [{ ...place, column: 'B', value: 'x', headerRow: 3 }, thirdRow, width, `GET ${at('B4%3AB')}`],
    ],
    delete_row: [
      [
        { ...place, row: 4 },
        sheetIds,
        'POST /v4/spreadsheets/s1:batchUpdate {"requests":[{"deleteDimension":{"range":' +
          '{"sheetId":7,"dimension":"ROWS","startIndex":3,"endIndex":4}}}]}',
      ],
    ],
    list_sheets: [
      [
        { spreadsheetId: 's1' },
        'GET /v4/spreadsheets/s1?fields=sheets.properties%28sheetId%2Ctitle%2Cindex%2CsheetType%2Chidden' +
          '%2CgridProperties%28rowCount%2CcolumnCount%29%29',
      ],
    ],
    create_sheet: [
      [
        { spreadsheetId: 's1', title: 'New' },
        'POST /v4/spreadsheets/s1:batchUpdate {"requests":[{"addSheet":{"properties":{"title":"New"}}}]}',
      ],
      [
        { spreadsheetId: 's1', title: 'New', columns: ['Name', '=1'] },
        'POST /v4/spreadsheets/s1:batchUpdate {"requests":[{"addSheet":{"properties":{"title":"New"}}}]}',
        `PUT /v4/spreadsheets/s1/values/'New'!A1%3AB1?valueInputOption=RAW {"values":[["Name","=1"]]}`,
      ],
    ],
    copy_sheet: [
      [place, sheetIds, 'POST /v4/spreadsheets/s1/sheets/7:copyTo {"destinationSpreadsheetId":"s1"}'],
      [
        { ...place, targetSpreadsheetId: 'https://docs.google.com/spreadsheets/d/s2/edit', title: 'Staff' },
        sheetIds,
        'POST /v4/spreadsheets/s1/sheets/7:copyTo {"destinationSpreadsheetId":"s2"}',
        'POST /v4/spreadsheets/s2:batchUpdate {"requests":[{"updateSheetProperties":' +
          '{"properties":{"sheetId":9,"title":"Staff"},"fields":"title"}}]}',
      ],
    ],
    create_spreadsheet: [
      [{ title: 'People' }, 'POST /v4/spreadsheets {"properties":{"title":"People"}}'],
      [
        { title: 'People', sheet: 'Staff', columns: ['Name'] },
        'POST /v4/spreadsheets {"properties":{"title":"People"},"sheets":[{"properties":{"title":"Staff"},' +
          '"data":[{"rowData":[{"values":[{"userEnteredValue":{"stringValue":"Name"}}]}]}]}]}',
      ],
    ],
    clear: [
      [place, "POST /v4/spreadsheets/s1/values/'Bo''s':clear {}"],
      [{ ...place, range: 'A2:F' }, `POST ${at('A2%3AF:clear')} {}`],
    ],
  });
});

describe('a column', () => {
  const run = async (name: string, input: JsonObject, rows?: JsonValue[][]) =>
    (await runPiece({ ...setting, reply: replyWith(asGoogle(rows)) }, name, { ...place, ...input })).output;
  const UNKNOWN = 'has the unknown column "ID". The columns are: "Name", "Email", "C", "D"';

  it.each<[string, JsonObject, string]>([
    ['update_row', { row: 2, values: { ID: 'x' } }, 'values'],
    ['append_row', { values: { Name: 'Cy', ID: 'x' } }, 'values'],
    ['update_rows', { rows: [{ row: 2, values: { ID: 'x' } }] }, 'rows'],
    ['append_rows', { rows: [{ ID: 'x' }] }, 'rows'],
    ['find_row', { column: 'ID', value: 'x' }, 'column'],
    ['find_rows', { column: 'ID', value: 'x' }, 'column'],
  ])('of a name in capitals that the header row does not contain is refused by %s', async (name, input, property) => {
    await expect(run(name, input)).rejects.toMatchObject({ name: 'InputError', property, message: UNKNOWN });
  });

  it.each<[string, number, boolean]>([
    ["Bo's", 27, true],
    ["BO'S", 27, true],
    ["Bo's", 26, false],
    ['Old', 27, false],
  ])('of a letter needs a sheet that has it: AA of %s with %i columns: %s', async (title, columnCount, isAccepted) => {
    const sheets = [{ properties: { title, gridProperties: { rowCount: 9, columnCount } } }];
    const reply = (request: Recorded): Reply =>
      request.url.startsWith('/v4/spreadsheets/s1?') ? json({ sheets }) : asGoogle()(request);
    const written = runPiece({ ...setting, reply }, 'update_row', { ...place, row: 2, values: { AA: 'x' } });
    if (isAccepted) expect((await written).output).toEqual({ row: 2, range: "'Bo''s'!A2:AA2" });
    else await expect(written).rejects.toMatchObject({ name: 'InputError', property: 'values' });
  });

  it('of the header row is preferred to one of that letter', async () => {
    const written = await run('update_row', { row: 2, values: { ID: 'x' } }, [['Name', 'ID']]);
    expect(written).toEqual({ row: 2, range: "'Bo''s'!A2:B2" });
  });
});

describe('rows', () => {
  const run = async (name: string, input: JsonObject, rows?: JsonValue[][]) =>
    (await runPiece({ ...setting, reply: replyWith(asGoogle(rows)) }, name, { ...place, ...input })).output;

  it('are returned by column name, without empty rows', async () => {
    expect(await run('get_rows', {})).toEqual({
      items: [
        { row: 2, values: { Name: 'Ann', Email: 'ann@acme.example', C: 3, D: '' } },
        { row: 4, values: { Name: 'Bo', Email: 'BO@acme.example', C: '', D: true } },
      ],
    });
  });

  it('are found by a whole cell or a part of it', async () => {
    const bo = { found: true, row: 4, values: { Name: 'Bo', Email: 'BO@acme.example', C: '', D: true } };
    expect(await run('find_row', { column: 'Name', value: 'Bo' })).toEqual(bo);
    expect(await run('find_row', { column: 'B', value: 'bo@', match: 'contains' })).toEqual(bo);
    expect(await run('find_row', { column: 'Name', value: 'bo' })).toEqual({ found: false, row: null, values: null });
  });

  it('are found by the position that the response names', async () => {
    expect(await run('find_rows', { column: 'Email', value: 'acme', match: 'contains' })).toEqual({
      items: [
        { row: 2, values: { Name: 'Ann', Email: 'ann@acme.example', C: 3, D: '' } },
        { row: 4, values: { Name: 'Bo', Email: 'BO@acme.example', C: '', D: true } },
      ],
    });
    expect(await run('find_rows', { column: 'Name', value: 'bo' })).toEqual({ items: [] });
  });

  it('have the names of the header row', async () => {
    const rows = [['Report'], [], ['Name'], ['Ann'], ['Bo']];
    const [ann, bo] = [
      { row: 4, values: { Name: 'Ann' } },
      { row: 5, values: { Name: 'Bo' } },
    ];
    expect(await run('get_rows', { headerRow: 3 }, rows)).toEqual({ items: [ann, bo] });
    const found = await run('find_row', { headerRow: 3, column: 'Name', value: 'Bo' }, rows);
    expect(found).toEqual({ found: true, ...bo });
  });

  it('of a range are lists of cells', async () => {
    expect(await run('get_range', { range: 'A2:D4' }, [['Name'], ['Ann', 1], [], ['Bo']])).toEqual({
      range: 'A2:D4',
      values: [['Ann', 1], [], ['Bo']],
    });
  });

  it('are updated and deleted by their numbers', async () => {
    const rows: JsonObject[] = [
      { row: 2, values: { A: 1 } },
      { row: 3, values: {} },
      { row: 9, values: { A: 2 } },
    ];
    expect(await run('update_rows', { rows })).toEqual({
      items: [
        { row: 2, range: "'Bo''s'!A2" },
        { row: 9, range: '' },
      ],
    });
    expect(await run('delete_row', { row: 4 })).toEqual({ row: 4 });
  });

  it('are empty if the sheet ends before the first row', async () => {
    const error = {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: "Range ('S'!2:101) exceeds grid limits. Max rows: 1",
    };
    const reply = (request: Recorded): Reply =>
      request.url.includes('1%3A1') ? asGoogle()(request) : json({ error }, 400);
    expect((await runPiece({ ...setting, reply }, 'get_rows', place)).output).toEqual({ items: [] });
  });

  it('are added below and return their position', async () => {
    expect(await run('append_row', { values: { Name: 'Cy' } })).toEqual({ row: 5, range: "'Bo''s'!A5:F5" });
    expect(await run('append_row', { values: { A: 'Cy' } }, [])).toMatchObject({ row: 5 });
    const rows = [{ Name: 'Cy' }, { Name: 'Di' }];
    expect(await run('append_rows', { rows })).toEqual({ firstRow: 5, count: 2, range: "'Bo''s'!A5:F5" });
  });

  it.each<[JsonObject, string]>([
    [{}, 'must have a value in each row'],
    [{ Nmae: 'x' }, 'has the unknown column "Nmae". The columns are: "Name", "Email", "C", "D"'],
    [{ Name: [] }, 'must hold texts, numbers, true, false or null (column "Name" holds another type)'],
  ])('are refused in a list with %j', async (row, message) => {
    await expect(run('append_rows', { rows: [{ Name: 'Cy' }, row] })).rejects.toMatchObject({
      name: 'InputError',
      property: 'rows',
      message,
    });
  });

  it.each<[JsonObject, string]>([
    [{ Nmae: 'x' }, 'has the unknown column "Nmae". The columns are: "Name", "Email", "C", "D"'],
    [{ Name: { first: 'x' } }, 'must hold texts, numbers, true, false or null (column "Name" holds another type)'],
  ])('are refused with the values %j', async (values, message) => {
    await expect(run('append_row', { values })).rejects.toMatchObject({
      name: 'InputError',
      property: 'values',
      message,
    });
  });
});

describe('sheets', () => {
  const run = async (name: string, input: JsonObject) => (await runPiece(setting, name, input)).output;

  it('are listed with their sizes', async () => {
    expect(await run('list_sheets', { spreadsheetId: 's1' })).toEqual({
      items: [
        { sheetId: 0, title: 'Old', index: 0, sheetType: 'GRID', hidden: true },
        { sheetId: 7, title: "Bo's", index: 1, rowCount: 1000, columnCount: 26 },
      ],
    });
  });

  it('are created and copied with their names and ids', async () => {
    expect(await run('create_sheet', { spreadsheetId: 's1', title: 'New' })).toEqual({
      ...{ sheetId: 8, title: 'New', index: 2 },
    });
    expect(await run('copy_sheet', place)).toEqual(COPIED);
    expect(await run('copy_sheet', { ...place, title: 'Staff' })).toEqual({ ...COPIED, title: 'Staff' });
  });

  it.each(['delete_row', 'copy_sheet'])('must exist for %s', async (name) => {
    const message = 'is an unknown sheet ("Bos"). The sheets are: "Old", "Bo\'s"';
    const input = { ...place, sheet: 'Bos', ...(name === 'delete_row' && { row: 4 }) };
    await expect(run(name, input)).rejects.toMatchObject({ name: 'InputError', property: 'sheet', message });
  });

  it('can have the id 0', async () => {
    const { asked } = await runPiece(setting, 'delete_row', { ...place, sheet: 'Old', row: 1 });
    expect(asked[1]).toContain('"sheetId":0,"dimension":"ROWS","startIndex":0,"endIndex":1');
  });
});

it.each<[string, object]>([
  ['GET /v4/spreadsheets/{spreadsheetId}', SPREADSHEET],
  ['POST /v4/spreadsheets/{spreadsheetId}:batchUpdate', ADDED],
  ['POST /v4/spreadsheets/{spreadsheetId}/sheets/{sheetId}:copyTo', COPIED],
  ['POST /v4/spreadsheets/{spreadsheetId}/values:batchGetByDataFilter', FOUND],
  ['POST /v4/spreadsheets/{spreadsheetId}/values:batchUpdate', { responses: [{ updatedRange: 'A1' }] }],
  ['POST /v4/spreadsheets/{spreadsheetId}/values/{range}:append', { updates: { updatedRange: 'A1' } }],
  ['PUT /v4/spreadsheets/{spreadsheetId}/values/{range}', { updatedRange: 'A1' }],
  ['GET /v4/spreadsheets/{spreadsheetId}/values/{range}', { values: [['x']] }],
])('reads only fields that the description has: %s', (operation, body) => {
  expect(checkResponse(description, operation, body)).toEqual([]);
});

it.each([
  ['append_rows', 'write', true, false],
  ['update_rows', 'write', false, true],
  ['delete_row', 'delete', false, false],
  ['create_sheet', 'write', true, false],
  ['copy_sheet', 'write', true, false],
  ['find_rows', 'read', true, true],
  ['get_range', 'read', true, true],
  ['list_sheets', 'read', true, true],
] as const)('%s is of the category %s', (name, category, adds, idempotent) => {
  expect(googleSheets.actions[name]).toMatchObject({ category, adds, idempotent });
});

it('describes every property', () => {
  const operations = [...Object.values(googleSheets.actions), ...Object.values(googleSheets.triggers ?? {})];
  const properties = operations.flatMap(({ props }) => Object.values(props));
  expect(properties.filter(({ description: text }) => !text)).toEqual([]);
});

it.each<[object, number, object]>([
  [
    { code: 403, status: 'PERMISSION_DENIED', message: 'No' },
    403,
    { code: 'PERMISSION_DENIED', message: 'No', retryable: false },
  ],
  [
    { code: 403, message: 'Too many', errors: [{ reason: 'userRateLimitExceeded' }] },
    403,
    { code: 'userRateLimitExceeded', retryable: true },
  ],
  [{ code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota' }, 429, { code: 'RESOURCE_EXHAUSTED', retryable: true }],
])("fails with Google's error code: %j", async (error, status, failure) => {
  const reply = () => json({ error }, status);
  await expect(runPiece({ ...setting, reply }, 'create_spreadsheet', { title: 'People' })).rejects.toMatchObject({
    status,
    ...failure,
  });
});
