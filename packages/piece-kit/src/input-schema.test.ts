import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { inputSchema } from './describe.js';
import type { Property } from './property.js';
import {
  checkbox,
  dateTime,
  dropdown,
  dynamic,
  file,
  files,
  json,
  longText,
  multiSelect,
  number,
  secretText,
  shortText,
  staticDropdown,
  staticMultiSelect,
} from './property-types.js';

const FILE = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const texts = { schema: { type: 'object', additionalProperties: { type: 'string' } } } as const;

const cases: [Property, { accepts: unknown[]; refuses: unknown[] }][] = [
  [shortText('Short'), { accepts: ['', 'a'], refuses: [1, null, {}] }],
  [
    shortText('Slug', { pattern: '^[a-z]+$', minLength: 2, maxLength: 3 }),
    { accepts: ['abc'], refuses: ['a', 'A1', 'abcd'] },
  ],
  [longText('Long'), { accepts: ['a\nb'], refuses: [true] }],
  [secretText('Secret'), { accepts: ['s'], refuses: [1] }],
  [number('Number'), { accepts: [1.5, -1], refuses: ['1', null] }],
  [number('Count', { integer: true, minimum: 0, maximum: 5 }), { accepts: [0, 5], refuses: [-1, 6, 1.5] }],
  [checkbox('Check'), { accepts: [true, false], refuses: ['true', 0] }],
  [staticDropdown('One', ['a', { label: 'B', value: 'b' }]), { accepts: ['a', 'b'], refuses: ['B', 'c', 1] }],
  [staticMultiSelect('Some', [1, 2]), { accepts: [[], [2, 1]], refuses: [[1, 1], [3], 1] }],
  [dropdown('Dropdown'), { accepts: ['anything'], refuses: [1] }],
  [multiSelect('Several'), { accepts: [['a', 'b']], refuses: [['a', 'a'], [1], 'a'] }],
  [dynamic('Dynamic'), { accepts: [{ any: 1 }], refuses: [[], 'a'] }],
  [json('Json'), { accepts: [1, null, [], { a: [1] }], refuses: [] }],
  [json('Texts', texts), { accepts: [{}, { a: 'b' }], refuses: [{ a: 1 }, []] }],
  [
    dateTime('Moment'),
    {
      accepts: ['2026-01-31T23:59:59Z', '2026-01-31T00:00:00.123+02:00', '2026-01-31T10:00Z'],
      refuses: ['2026-13-01T00:00:00Z', '2026-01-31', '2026-01-31T24:00:00Z', '2026-01-31T00:00:00'],
    },
  ],
  [files('Files', { maxItems: 1 }), { accepts: [[], [FILE]], refuses: [FILE, ['a'], [FILE, FILE]] }],
  [
    file('File'),
    { accepts: [FILE], refuses: [{ ...FILE, base64: '*' }, { ...FILE, size: 1 }, { filename: 'a' }, 'a'] },
  ],
];

const ajvs = [
  ['draft-07', new Ajv({ strict: true, strictTypes: true, strictRequired: true })],
  ['2020-12', new Ajv2020({ strict: true, strictTypes: true, strictRequired: true })],
] as const;

describe.each(ajvs)('inputSchema in a strict %s validator', (_, ajv) => {
  it.each(cases.map(([property, values]) => [property.displayName, property, values] as const))(
    'validates values of %s',
    (_name, property, { accepts, refuses }) => {
      const validate = ajv.compile(inputSchema({ value: property }));
      expect(accepts.filter((value) => !validate({ value }))).toEqual([]);
      expect(refuses.filter((value) => validate({ value }))).toEqual([]);
    },
  );

  it('names an unknown key and a missing one', () => {
    const validate = ajv.compile(
      inputSchema({ title: shortText('Title', { required: true }), body: longText('Body') }),
    );
    expect(validate({ title: 't' })).toBe(true);
    expect(validate({ body: 'b' })).toBe(false);
    expect(validate.errors).toMatchObject([{ keyword: 'required', params: { missingProperty: 'title' } }]);
    expect(validate({ title: 't', tittle: 'u' })).toBe(false);
    expect(validate.errors).toMatchObject([{ params: { additionalProperty: 'tittle' } }]);
  });
});

it('carries title and description for forms and agents, and marks secrets', () => {
  const schema = inputSchema({ key: secretText('Key', { required: true, description: 'Of the webhook.' }) });
  expect(schema.properties).toEqual({
    key: { type: 'string', title: 'Key', description: 'Of the webhook.', writeOnly: true },
  });
});
