import { InputError, type JsonObject } from '@drawbridge/piece-kit';
import { runPiece } from '../../testing/run-piece.js';
import { asNotion, NOTION_ID } from '../../testing/vendors/notion.js';
import { notion } from './index.js';
import { toPlainValue, toPropertyValue } from './property-values.js';
import { toPlainText, toRichText } from './rich-text.js';

const credential = { type: 'OAUTH2', accessToken: 'ntn_canary', tokenType: 'bearer' } as const;
const setting = { piece: notion, credential, reply: asNotion([]) };

describe('values', () => {
  it.each<[string, unknown, unknown]>([
    ['title', 'Tea', [{ type: 'text', text: { content: 'Tea' } }]],
    ['rich_text', 7, [{ type: 'text', text: { content: '7' } }]],
    ['url', 'https://acme.example', 'https://acme.example'],
    ['date', '2026-01-31', { start: '2026-01-31' }],
    ['people', ['u1'], [{ object: 'user', id: 'u1' }]],
    ['relation', ['p1'], [{ id: 'p1' }]],
    [
      'files',
      ['https://acme.example/a'],
      [{ name: 'https://acme.example/a', type: 'external', external: { url: 'https://acme.example/a' } }],
    ],
    ['multi_select', null, []],
    ['title', null, []],
    ['date', null, null],
    ['checkbox', null, false],
  ])('are written as %s: %j', (type, value, expected) => {
    expect(toPropertyValue(type, 'P', value as string)).toEqual({ [type]: expected });
  });

  it.each<[JsonObject, string]>([
    [
      { Nmae: 'x' },
      'has the unknown or read-only property "Nmae". Writable properties: "Name", "Tags", "State", "Kind", "Due", "Score", "Done", "Notes", "Owner"',
    ],
    [
      { Sum: 1 },
      'has the unknown or read-only property "Sum". Writable properties: "Name", "Tags", "State", "Kind", "Due", "Score", "Done", "Notes", "Owner"',
    ],
    [{ Score: '3' }, 'must have a number for "Score"'],
    [{ Done: 'yes' }, 'must have a checkbox for "Done"'],
    [{ Tags: 'hot' }, 'must have a list of texts for "Tags"'],
    [{ Name: ['x'] }, 'must have a text for "Name"'],
  ])('are refused before any write: %j', async (given, message) => {
    const creating = runPiece(setting, 'create_item', { data_source_id: NOTION_ID, values: given });
    await expect(creating).rejects.toEqual(new InputError('values', message));
  });

  it.each<[JsonObject, unknown]>([
    [{ type: 'rich_text', rich_text: [{ plain_text: 'a' }, { plain_text: 'b' }] }, 'ab'],
    [{ type: 'select', select: { name: 'x' } }, 'x'],
    [{ type: 'status', status: null }, null],
    [{ type: 'multi_select', multi_select: [{ name: 'x' }] }, ['x']],
    [{ type: 'date', date: { start: '2026-01-31', end: '2026-02-01' } }, '2026-01-31/2026-02-01'],
    [{ type: 'date', date: null }, null],
    [{ type: 'people', people: [{ id: 'u1' }] }, ['u1']],
    [{ type: 'files', files: [{ file: { url: 'https://a.example' } }] }, ['https://a.example']],
    [{ type: 'formula', formula: { type: 'number', number: 2 } }, 2],
    [{ type: 'created_time', created_time: '2026-01-31T00:00:00.000Z' }, '2026-01-31T00:00:00.000Z'],
  ])('are read as plain values: %j', (property, expected) => expect(toPlainValue(property)).toEqual(expected));

  it('split long texts at whole characters', () => {
    const long = `${'x'.repeat(1999)}😀${'y'.repeat(10)}`;
    const pieces = toRichText(long);
    expect(pieces.map(({ text: piece }) => (piece as { content: string }).content.length)).toEqual([1999, 12]);
    expect(toPlainText(pieces)).toBe(long);
  });
});
