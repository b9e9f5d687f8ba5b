import { InputError, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { asGoogle } from '../../testing/vendors/google-sheets.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { googleSheets } from './index.js';

const check = by(readDescription('google-sheets', 'sheets'), readDescription('google-sheets', 'drive'));
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;

const setting = { piece: googleSheets, credential, reply: asGoogle() };
const place = { spreadsheetId: 's1', sheet: "Bo's" };
const at = (range: string): string => `/v4/spreadsheets/s1/values/'Bo''s'!${range}`;
const header = `GET ${at('1%3A1')}`;
const FIELDS = 'sheets.properties(sheetId,title,index,hidden,gridProperties(rowCount,columnCount))';
const SHEETS = `GET /v4/spreadsheets/s1?${new URLSearchParams({ fields: FIELDS })}`;

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
        `POST ${at('A1:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS')} ` +
          '{"values":[[null,"cy@acme.example",null,false,null,"=1+1"]]}',
      ],
      [
        { ...place, values: { Ann: 'Cy' }, headerRow: 2 },
        `GET ${at('2%3A2')}`,
        `POST ${at('A2:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS')} {"values":[["Cy"]]}`,
      ],
    ],
    append_rows: [
      [
        { ...place, rows: [{ Name: 'Cy' }, { Email: 'di@acme.example' }] },
        header,
        `POST ${at('A1:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS')} ` +
          '{"values":[["Cy"],[null,"di@acme.example"]]}',
      ],
      [
        { ...place, rows: [{ Ann: '=1' }], valueInputOption: 'USER_ENTERED', headerRow: 2 },
        `GET ${at('2%3A2')}`,
        `POST ${at('A2:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS')} {"values":[["=1"]]}`,
      ],
    ],
    update_rows: [
      [
        {
          ...place,
          rows: [
            { row: 2, values: { Email: 'x' } },
            { row: 4, values: {} },
            { row: 5, values: { Name: 'Bo' } },
          ],
        },
        header,
        'POST /v4/spreadsheets/s1/values:batchUpdate {"valueInputOption":"RAW","data":' +
          `[{"range":"'Bo''s'!A2:B2","values":[[null,"x"]]},{"range":"'Bo''s'!A5:A5","values":[["Bo"]]}]}`,
      ],
      [
        { ...place, rows: [{ row: 3, values: { Ann: '=1' } }], valueInputOption: 'USER_ENTERED', headerRow: 2 },
        `GET ${at('2%3A2')}`,
        `POST /v4/spreadsheets/s1/values:batchUpdate {"valueInputOption":"USER_ENTERED","data":` +
          `[{"range":"'Bo''s'!A3:A3","values":[["=1"]]}]}`,
      ],
      [{ ...place, rows: [{ row: 3, values: {} }] }, header],
    ],
    find_rows: [
      [
        { ...place, column: 'Name', value: 'Bo' },
        header,
        `GET ${at('A2%3AA')}`,
        'GET /v4/spreadsheets/s1/values:batchGet?ranges=%27Bo%27%27s%27%214%3A4',
      ],
      [
        { ...place, column: 'A', value: 'B', match: 'contains', limit: 1, headerRow: 2 },
        `GET ${at('2%3A2')}`,
        `GET ${at('A3%3AA')}`,
        'GET /v4/spreadsheets/s1/values:batchGet?ranges=%27Bo%27%27s%27%214%3A4',
      ],
    ],
    delete_row: [
      [
        { ...place, row: 4 },
        SHEETS,
        'POST /v4/spreadsheets/s1:batchUpdate {"requests":[{"deleteDimension":{"range":' +
          '{"sheetId":7,"dimension":"ROWS","startIndex":3,"endIndex":4}}}]}',
      ],
      [
        { ...place, row: 1, count: 3 },
        SHEETS,
        'POST /v4/spreadsheets/s1:batchUpdate {"requests":[{"deleteDimension":{"range":' +
          '{"sheetId":7,"dimension":"ROWS","startIndex":0,"endIndex":3}}}]}',
      ],
    ],
    get_range: [
      [{ ...place, range: 'B2:D10' }, `GET ${at('B2%3AD10')}`],
      [{ ...place, range: 'A:A', render: 'FORMULA' }, `GET ${at('A%3AA?valueRenderOption=FORMULA')}`],
    ],
    list_sheets: [[{ spreadsheetId: 's1' }, SHEETS]],
    create_sheet: [
      [
        { spreadsheetId: 's1', title: 'Staff' },
        'POST /v4/spreadsheets/s1:batchUpdate {"requests":[{"addSheet":{"properties":{"title":"Staff"}}}]}',
      ],
      [
        { spreadsheetId: 's1', title: 'Staff', columns: ['Name'] },
        'POST /v4/spreadsheets/s1:batchUpdate {"requests":[{"addSheet":{"properties":{"title":"Staff"}}}]}',
        `PUT /v4/spreadsheets/s1/values/'Staff'!A1?valueInputOption=RAW {"values":[["Name"]]}`,
      ],
    ],
    copy_sheet: [
      [place, SHEETS, 'POST /v4/spreadsheets/s1/sheets/7:copyTo {"destinationSpreadsheetId":"s1"}'],
      [
        { ...place, destination: 'https://docs.google.com/spreadsheets/d/s2/edit' },
        SHEETS,
        'POST /v4/spreadsheets/s1/sheets/7:copyTo {"destinationSpreadsheetId":"s2"}',
      ],
    ],
    update_row: [
      [
        { ...place, row: 4, values: { Email: '', Name: null } },
        header,
        `PUT ${at('A4%3AB4?valueInputOption=RAW')} {"values":[[null,""]]}`,
      ],
      [{ ...place, row: 4, values: {}, valueInputOption: 'RAW' }, header],
      [
        { ...place, row: 4, values: { Ann: 'Cy' }, headerRow: 2 },
        `GET ${at('2%3A2')}`,
        `PUT ${at('A4%3AA4?valueInputOption=RAW')} {"values":[["Cy"]]}`,
      ],
    ],
    get_rows: [
      [place, header, `GET ${at('2%3A101')}`],
      [
        { ...place, firstRow: 3, limit: 10, render: 'UNFORMATTED_VALUE' },
        header,
        `GET ${at('3%3A12?valueRenderOption=UNFORMATTED_VALUE')}`,
      ],
      [{ ...place, headerRow: 2 }, `GET ${at('2%3A2')}`, `GET ${at('3%3A102')}`],
    ],
    find_row: [
      [{ ...place, column: 'Email', value: 'bo@acme.example' }, header, `GET ${at('B2%3AB')}`],
      [
        { ...place, column: 'Email', value: 'bo@acme.example', match: 'contains' },
        header,
        `GET ${at('B2%3AB')}`,
        `GET ${at('4%3A4')}`,
      ],
      [
        { ...place, column: 'Ann', value: 'Bo', headerRow: 2 },
        `GET ${at('2%3A2')}`,
        `GET ${at('A3%3AA')}`,
        `GET ${at('4%3A4')}`,
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

describe('rows', () => {
  const run = async (name: string, input: JsonObject, rows?: JsonValue[][]) =>
    (await runPiece({ ...setting, reply: asGoogle(rows) }, name, { ...place, ...input })).output;

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

  it('are all found, in as many requests as they need', async () => {
    const rows = [['Name'], ...Array.from({ length: 120 }, (_, index) => [index % 2 ? 'odd' : 'even', index])];
    const { output, asked } = await runPiece({ ...setting, reply: asGoogle(rows) }, 'find_rows', {
      ...{ ...place, column: 'Name', value: 'odd' },
    });
    const { items } = output as { items: JsonObject[] };
    expect([items.length, items[0], items[59]]).toEqual([
      60,
      { row: 3, values: { Name: 'odd', B: 1 } },
      { row: 121, values: { Name: 'odd', B: 119 } },
    ]);
    expect(asked).toHaveLength(4);
    const some = await run('find_rows', { column: 'Name', value: 'odd', limit: 3 }, rows);
    expect(some.items).toMatchObject([{ row: 3 }, { row: 5 }, { row: 7 }]);
    expect((await run('find_rows', { column: 'Name', value: 'od' }, rows)).items).toEqual([]);
  });

  it('are reported by number', async () => {
    expect(await run('append_rows', { rows: [{ Name: 'Cy' }, { Name: 'Di' }] })).toEqual({
      ...{ row: 5, range: "'Bo''s'!A5:F5", rows: 2 },
    });
    expect(await run('update_rows', { rows: [{ row: 2, values: { Name: 'Cy' } }] })).toEqual({ rows: 1, cells: 3 });
    expect(await run('update_rows', { rows: [{ row: 2, values: {} }] })).toEqual({ rows: 0, cells: 0 });
    expect(await run('delete_row', { row: 4 })).toEqual({ row: 4, count: 1 });
    expect(await run('get_range', { range: 'A1:A2' })).toMatchObject({
      range: 'A1:A2',
      values: [
        ['Name', 'Email', '', 'Name'],
        ['Ann', 'ann@acme.example', 3],
      ],
    });
  });

  it('cannot be deleted from an unknown sheet', async () => {
    const message = `is unknown (got "Bob"). The sheets are: "People", "Bo's"`;
    const input = { spreadsheetId: 's1', sheet: 'Bob', row: 2 };
    await expect(runPiece(setting, 'delete_row', input)).rejects.toEqual(new InputError('sheet', message));
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
  });

  it.each<[JsonObject, string]>([
    [{ Nmae: 'x' }, 'has the unknown column "Nmae". The columns are: "Name", "Email", "C", "D"'],
    [{ Name: { first: 'x' } }, 'must hold texts, numbers, true, false or null (column "Name" holds another type)'],
  ])('are refused with the values %j', async (values, message) => {
    await expect(run('append_row', { values })).rejects.toEqual(new InputError('values', message));
    const ofRows = { property: 'rows', message: new InputError('rows', message).message };
    await expect(run('append_rows', { rows: [values] })).rejects.toMatchObject(ofRows);
    await expect(run('update_rows', { rows: [{ row: 2, values }] })).rejects.toMatchObject(ofRows);
  });
});

describe('sheets', () => {
  const run = async (name: string, input: JsonObject) => (await runPiece(setting, name, input)).output;

  it('are listed with their sizes', async () => {
    expect(await run('list_sheets', { spreadsheetId: 's1' })).toEqual({
      items: [
        { sheetId: 0, title: 'People', index: 0, rows: 1000, columns: 26 },
        { sheetId: 7, title: "Bo's", index: 1, hidden: true, rows: 4, columns: 4 },
      ],
    });
  });

  it('are created and copied', async () => {
    expect(await run('create_sheet', { spreadsheetId: 's1', title: 'Staff' })).toEqual({ sheetId: 8, title: 'Staff' });
    expect(await run('copy_sheet', place)).toEqual({ sheetId: 9, title: "Copy of Bo's" });
  });
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
