import {
  action,
  dropdown,
  dynamic,
  type JsonObject,
  type LoadProps,
  longText,
  MAX_DYNAMIC_PROPS,
  MAX_OPTIONS,
  piece,
  ProviderError,
  resolveProps,
  shortText,
  staticDropdown,
} from './index.js';

function resolve(props?: LoadProps, name = 'values', input: JsonObject = {}) {
  const about = { displayName: 'Do', description: 'Does it.', category: 'read', run: async () => ({}) } as const;
  const acme = piece({
    ...{ name: 'acme', displayName: 'Acme', description: 'Acme.', categories: ['CORE'] },
    actions: {
      do: action({
        ...about,
        props: { sheet: dropdown('Sheet'), values: dynamic('Values', { refreshers: ['sheet'], props }) },
      }),
    },
  });
  const send = () => Promise.reject(new Error('Nothing is asked'));
  return resolveProps(acme, { actionName: 'do' }, name, { input, send });
}

const neither = { required: false, description: '', refreshers: [], options: [] };

it('returns the current properties in the format of the catalog', async () => {
  const props = resolve(
    async ({ input }) => ({
      name: shortText(`Name in ${input.sheet}`, { required: true, pattern: 'a' }),
      size: staticDropdown('Size', ['S', { label: 'Large', value: 'L' }]),
    }),
    'values',
    { sheet: 'People' },
  );
  expect(await props).toEqual({
    name: { ...neither, type: 'SHORT_TEXT', displayName: 'Name in People', required: true },
    size: {
      ...neither,
      type: 'STATIC_DROPDOWN',
      displayName: 'Size',
      options: [
        { label: 'S', value: 'S' },
        { label: 'Large', value: 'L' },
      ],
    },
  });
});

it('truncates property texts of the provider, and omits keys that are not allowed in a body', async () => {
  const column = longText('D'.repeat(501), { description: 'd'.repeat(4_001) });
  const props = await resolve(async () => ({ column, ['__proto__']: column }));
  expect(Object.entries(props)).toEqual([
    ['column', { ...neither, type: 'LONG_TEXT', displayName: 'D'.repeat(500), description: 'd'.repeat(4_000) }],
  ]);
});

it('offers no more of a static select than a form can show', async () => {
  const choices = Array.from({ length: MAX_OPTIONS + 1 }, (_, index) => ({ label: 'L'.repeat(501), value: index }));
  const { size } = await resolve(async () => ({ size: staticDropdown('Size', choices) }));
  expect(size?.options).toHaveLength(MAX_OPTIONS);
  expect(size?.options[0]).toEqual({ label: 'L'.repeat(500), value: 0 });
});

it.each<[string, string, LoadProps | undefined, string]>([
  ['a select', 'NOT_DYNAMIC', async () => ({}), 'sheet'],
  ['a dynamic property without code', 'NO_PROPS_FN', undefined, 'values'],
])('fails for %s', async (_what, code, props, name) => {
  await expect(resolve(props, name)).rejects.toMatchObject({ name: 'PropertyError', code });
});

const text = shortText('Text');
const times = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, text]));

it('takes as many as a form may have, and none at all', async () => {
  const props = await resolve((async () => times(MAX_DYNAMIC_PROPS)) as LoadProps);
  expect(Object.keys(props)).toHaveLength(MAX_DYNAMIC_PROPS);
  expect(await resolve((async () => undefined) as unknown as LoadProps)).toEqual({});
});

it.each<[string, unknown]>([
  ['too many', times(MAX_DYNAMIC_PROPS + 1)],
  ['a long key', { ['k'.repeat(1_001)]: text }],
  ['a text', { name: 'Name' }],
  ['nothing', { name: undefined }],
  ['a text altogether', 'name'],
])('fails with RESOLVE_FAILED where the code answers %s', async (_what, answer) => {
  await expect(resolve((async () => answer) as LoadProps)).rejects.toMatchObject({
    name: 'PropertyError',
    code: 'RESOLVE_FAILED',
  });
});

it('fails as the code of the property does', async () => {
  const error = new ProviderError('No', { status: 403 });
  await expect(resolve(() => Promise.reject(error))).rejects.toBe(error);
});
