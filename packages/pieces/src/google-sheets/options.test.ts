import type { JsonObject, JsonValue } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, propsOf } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { asGoogle } from '../../testing/vendors/google-sheets.js';
import { by } from '../../testing/witness.js';
import { googleSheets } from './index.js';

const check = by(readDescription('google-sheets', 'sheets'), readDescription('google-sheets', 'drive'));
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;
const setting = { piece: googleSheets, credential, reply: asGoogle() };
const place = { spreadsheetId: 's1', sheet: "Bo's" };

describe('options', () => {
  const names = Array.from({ length: 150 }, (_, index) => ({ id: `s${index}`, name: `Sheet ${index}` }));
  const reply = (request: Recorded): Reply => {
    const { pathname, searchParams } = new URL(request.url, 'http://google');
    if (pathname === '/drive/v3/files') {
      const from = Number(searchParams.get('pageToken') ?? 0);
      const more = from + 100 < names.length && { nextPageToken: String(from + 100) };
      return json({ files: names.slice(from, from + 100), ...more });
    }
    if (pathname === '/v4/spreadsheets/s1') return json({ sheets: [{ properties: { title: "Bo's" } }] });
    return asGoogle()(request);
  };
  const offered = (property: string, input: JsonObject = {}, search?: string) =>
    optionsOf({ ...setting, reply }, ['find_row', property], input, search);

  it("list the spreadsheets of the user's Drive over several pages", async () => {
    const { output, received, urls } = await offered('spreadsheetId');
    expect(output.options).toHaveLength(150);
    expect(received.flatMap(check)).toEqual([]);
    expect(urls.map((url) => new URL(url).origin)).toEqual(Array(2).fill('https://www.googleapis.com'));
  });

  it('find spreadsheets by the beginnings of words', async () => {
    const { output, urls } = await offered('spreadsheetId', {}, "sheet 149'");
    expect(output.options).toEqual([]);
    expect(new URL(urls[0] ?? '').searchParams.get('q')).toContain(
      "trashed = false and name contains 'sheet' and name contains '149\\''",
    );
  });

  it('list sheets by the id or URL of a spreadsheet, and their columns', async () => {
    const sheets = { options: [{ label: "Bo's", value: "Bo's" }], disabled: false };
    const address = 'https://docs.google.com/spreadsheets/d/s1/edit#gid=0';
    expect((await offered('sheet', { spreadsheetId: 's1' })).output).toEqual(sheets);
    expect((await offered('sheet', { spreadsheetId: address })).output).toEqual(sheets);
    expect((await offered('column', place)).output.options.map(({ value }) => value)).toEqual([
      'Name',
      'Email',
      'C',
      'D',
    ]);
  });

  it('list the columns of the header row, once it is a row number', async () => {
    const at = async (headerRow: JsonValue) => (await offered('column', { ...place, headerRow })).asked;
    expect(await at(3)).toEqual(["GET /v4/spreadsheets/s1/values/'Bo''s'!3%3A3"]);
    for (const row of [0, 1.5, '3', null])
      expect(await at(row)).toEqual(["GET /v4/spreadsheets/s1/values/'Bo''s'!1%3A1"]);
  });

  it.each([
    ['append_row', 'values'],
    ['find_rows', 'column'],
  ])('of %s are loaded again for another header row: %s', (action, property) => {
    const { refreshers } = googleSheets.actions[action]?.props[property] ?? {};
    expect(refreshers).toEqual(['spreadsheetId', 'sheet', 'headerRow']);
  });

  it('list spreadsheets as targets of a copy', async () => {
    const { output } = await optionsOf({ ...setting, reply }, ['copy_sheet', 'targetSpreadsheetId']);
    expect(output.options).toHaveLength(150);
  });

  it.each(['sheet', 'column'])('are disabled for %s until the parent is selected', async (property) => {
    expect(await offered(property)).toMatchObject({ output: { options: [], disabled: true }, asked: [] });
  });

  it('have a field for each column', async () => {
    const { output } = await propsOf({ ...setting, reply }, ['append_row', 'values'], place);
    expect(Object.entries(output).map(([key, { displayName }]) => [key, displayName])).toEqual(
      ['Name', 'Email', 'C', 'D'].map((name) => [name, name]),
    );
    expect((await propsOf(setting, ['append_row', 'values'])).output).toEqual({});
  });
});
