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
    ],
    update_row: [
      [
        { ...place, row: 4, values: { Email: '', Name: null } },
        header,
        `PUT ${at('A4%3AB4?valueInputOption=RAW')} {"values":[[null,""]]}`,
      ],
      [{ ...place, row: 4, values: {}, valueInputOption: 'RAW' }, header],
    ],
    get_rows: [
      [place, header, `GET ${at('2%3A101')}`],
      [
        { ...place, firstRow: 3, limit: 10, render: 'UNFORMATTED_VALUE' },
        header,
        `GET ${at('3%3A12?valueRenderOption=UNFORMATTED_VALUE')}`,
      ],
    ],
    find_row: [
      [{ ...place, column: 'Email', value: 'bo@acme.example' }, header, `GET ${at('B2%3AB')}`],
      [
        { ...place, column: 'Email', value: 'bo@acme.example', match: 'contains' },
        header,
        `GET ${at('B2%3AB')}`,
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
