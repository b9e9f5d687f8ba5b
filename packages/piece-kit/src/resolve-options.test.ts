import {
  action,
  authorizationHeader,
  dropdown,
  InputError,
  type LoadOptions,
  MAX_OPTIONS,
  multiSelect,
  piece,
  type PropertyContext,
  ProviderError,
  type ResolveContext,
  resolveOptions,
  type SendRequest,
  shortText,
  staticDropdown,
  trigger,
} from './index.js';

const STATES = ['open', { label: 'Closed, or merged', value: 'closed' }] as const;

function declare(options?: LoadOptions) {
  const props = {
    repo: shortText('Repository', { required: true }),
    state: staticDropdown('State', STATES),
    branch: dropdown('Branch', { refreshers: ['repo'], options }),
    labels: multiSelect('Labels', { options }),
  };
  const about = { displayName: 'Do', description: 'Does it.', category: 'read', run: async () => ({}) } as const;
  return piece({
    ...{ name: 'acme', displayName: 'Acme', description: 'Acme.', categories: ['CORE'] },
    origin: 'https://api.acme.example',
    auth: { types: ['SECRET_TEXT'], required: true },
    http: { authorize: authorizationHeader },
    actions: { do: action({ ...about, props }) },
  });
}

function resolve(name: string, options?: LoadOptions, context: Partial<ResolveContext> = {}) {
  const send = (): never => {
    throw new Error('Nothing is asked');
  };
  return resolveOptions(declare(options), { actionName: 'do' }, name, { input: {}, send, ...context });
}

const values = async (answer: ReturnType<typeof resolve>): Promise<unknown[]> =>
  (await answer).options.map(({ value }) => value);

it('answers those of a static select', async () => {
  const closed = { label: 'Closed, or merged', value: 'closed' };
  expect(await resolve('state')).toEqual({ options: [{ label: 'open', value: 'open' }, closed], disabled: false });
});

it('hands the code the form, the credential and the way to the third party', async () => {
  const sent: SendRequest[] = [];
  const seen: Partial<PropertyContext>[] = [];
  const { signal } = new AbortController();
  const answer = resolve(
    'branch',
    async ({ http, ...rest }) => {
      seen.push(rest);
      const [name] = (await http.json({ method: 'GET', path: '/branches' })) as [string];
      return { options: [{ label: name, value: name }], disabled: true };
    },
    {
      ...{ input: { repo: 'o/r' }, search: 'main', signal, credential: { type: 'SECRET_TEXT', secretText: 's' } },
      send: async (request: SendRequest) => {
        sent.push(request);
        return { status: 200, headers: {}, body: new TextEncoder().encode('["main"]'), url: request.url };
      },
    },
  );
  expect(await answer).toEqual({ options: [{ label: 'main', value: 'main' }], disabled: true });
  expect(seen).toEqual([{ input: { repo: 'o/r' }, search: 'main', auth: expect.anything(), signal }]);
  expect(sent).toMatchObject([
    { url: 'https://api.acme.example/branches', headers: { authorization: 'Bearer s' }, signal },
  ]);
});

it.each<[string | undefined, string[]]>([
  [undefined, ['a', 'b', 'c']],
  ['', ['a', 'b', 'c']],
  ['  ', ['a', 'b', 'c']],
  ['RED', ['a', 'c']],
  ['dark red', ['c']],
  ['red dark', ['c']],
  ['green', []],
  ['b', ['b']],
])('returns options for %j with each word in label or value', async (search, expected) => {
  const options = [
    { label: 'Red', value: 'a' },
    { label: 'Teal', value: 'b' },
    { label: 'Dark red', value: 'c' },
  ];
  expect(await values(resolve('branch', async () => options, { search }))).toEqual(expected);
});

it('searches a static select, too', async () => {
  expect(await values(resolve('state', undefined, { search: 'MERGED' }))).toEqual(['closed']);
});

it('returns at most the options that a form shows, and finds others by search', async () => {
  const many = Array.from({ length: 2 * MAX_OPTIONS }, (_, index) => ({
    label: `Label ${index}.`,
    value: `v${index}`,
  }));
  expect(await values(resolve('labels', async () => many))).toEqual(
    many.slice(0, MAX_OPTIONS).map(({ value }) => value),
  );
  expect(await values(resolve('labels', async () => many, { search: `${2 * MAX_OPTIONS - 1}.` }))).toEqual([
    `v${2 * MAX_OPTIONS - 1}`,
  ]);
});

it('cuts a label, and never a value', async () => {
  const value = 'v'.repeat(4_000);
  const [option] = (await resolve('branch', async () => [{ label: '😀'.repeat(501), value }])).options;
  expect(option).toEqual({ label: '😀'.repeat(500), value });
  const refused = resolve('branch', async () => [{ label: 'Long', value: `${value}v` }]);
  await expect(refused).rejects.toMatchObject({ name: 'PropertyError', code: 'OPTIONS_FAILED' });
});

it.each<[string, string, LoadOptions | undefined]>([
  ['a text', 'NOT_DROPDOWN', async () => []],
  ['a select without code', 'NO_OPTIONS_FN', undefined],
])('fails for %s', async (_what, code, options) => {
  const name = code === 'NOT_DROPDOWN' ? 'repo' : 'labels';
  await expect(resolve(name, options)).rejects.toMatchObject({ name: 'PropertyError', code });
});

it.each<[unknown]>([
  ['none'],
  [{}],
  [{ options: 'none' }],
  [[null]],
  [['main']],
  [[{ value: 'main' }]],
  [[{ label: 'One', value: 1 }]],
  [[{ label: 'Nothing' }]],
])('fails with OPTIONS_FAILED where the code answers %j', async (answer) => {
  await expect(resolve('branch', (async () => answer) as LoadOptions)).rejects.toMatchObject({
    name: 'PropertyError',
    code: 'OPTIONS_FAILED',
  });
});

it.each([undefined, null, [], { options: [] }])('takes %j for no options', async (answer) => {
  expect(await resolve('branch', (async () => answer) as unknown as LoadOptions)).toEqual({
    options: [],
    disabled: false,
  });
});

it.each([new ProviderError('No', { status: 403 }), new InputError('repo', 'no'), new Error('defect')])(
  'fails as the code of the property does: %s',
  async (error) => {
    await expect(resolve('branch', () => Promise.reject(error))).rejects.toBe(error);
  },
);

it('is of a trigger, too', async () => {
  const room = dropdown('Room', { options: async () => [{ label: 'Hall', value: 'hall' }] });
  const about = { kind: 'polling', displayName: 'Said', description: 'Said.', sample: {} } as const;
  const said = trigger({ ...about, props: { room }, poll: async () => ({ events: [], cursor: null }) });
  const acme = { ...declare(), triggers: { said } };
  const context = { input: {}, send: () => Promise.reject(new Error('Nothing is asked')) };
  expect((await resolveOptions(acme, { triggerName: 'said' }, 'room', context)).options).toHaveLength(1);
  await expect(resolveOptions(acme, { actionName: 'said' }, 'room', context)).rejects.toThrow('has no property');
  await expect(resolveOptions(acme, { triggerName: 'do' }, 'branch', context)).rejects.toThrow('has no property');
});

it('asks a busy third party again, also where it asks by a POST', async () => {
  let asked = 0;
  const answer = resolve(
    'branch',
    async ({ http }) => [{ label: String(await http.json({ method: 'POST', path: '/' })), value: 'a' }],
    {
      send: async ({ url }) => {
        const status = asked++ === 0 ? 429 : 200;
        return { status, headers: { 'retry-after': '0' }, body: new TextEncoder().encode('"main"'), url };
      },
    },
  );
  expect((await answer).options).toEqual([{ label: 'main', value: 'a' }]);
});

it.each([
  ['do', 'nothing'],
  ['do', 'constructor'],
  ['constructor', 'name'],
])('has no property %s.%s', async (actionName, name) => {
  const context = { input: {}, send: () => Promise.reject(new Error('Nothing is asked')) };
  await expect(resolveOptions(declare(), { actionName }, name, context)).rejects.toThrow('has no property');
});
