import { CreateConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/credentials';
import { credentialProblems, sizeProblems, toStoredCredential } from './credentials.js';
import { toOpenedCredential } from './open-secrets.js';

const request = (fields: Partial<CreateConnectionRequest>): CreateConnectionRequest =>
  CreateConnectionRequest.fromPartial({ externalId: 'e', displayName: 'd', integrationName: 'i', ...fields });

const FIELDS: Partial<CreateConnectionRequest> = {
  secretText: 's',
  username: 'u',
  password: 'p',
  props: {},
  accessToken: 'a',
  refreshToken: 'r',
  tokenType: 't',
  expiresIn: 1,
  scope_oauth: 'o',
  data: {},
};
const OAUTH = ['accessToken', 'refreshToken', 'tokenType', 'expiresIn', 'scope_oauth', 'data'];

describe.each([
  ['SECRET_TEXT', ['secretText'], ['secretText']],
  ['BASIC_AUTH', ['username', 'password'], ['username', 'password']],
  ['CUSTOM_AUTH', ['props'], ['props']],
  ['OAUTH2', ['accessToken'], OAUTH],
  ['PLATFORM_OAUTH2', ['accessToken'], OAUTH],
])('%s', (type, required, allowed) => {
  it('names every field that it lacks', () => {
    expect(Object.keys(credentialProblems(request({ type })))).toEqual(required);
  });

  it('refuses fields of other types and accepts its own', () => {
    const foreign = Object.keys(FIELDS).filter((field) => !allowed.includes(field));
    expect(Object.keys(credentialProblems(request({ type, ...FIELDS }))).sort()).toEqual(foreign.sort());
  });
});

describe('what is wrong', () => {
  it.each(['', 'secret_text', 'constructor'])('with the type %j', (type) => {
    expect(Object.keys(credentialProblems(request({ type, ...FIELDS })))).toEqual(['type']);
  });

  it('is missing and foreign fields at once', () => {
    expect(credentialProblems(request({ type: 'BASIC_AUTH', username: 'u', secretText: 's' }))).toEqual({
      password: 'is required for type BASIC_AUTH',
      secretText: 'is not a field of type BASIC_AUTH',
    });
  });

  it('is not an empty password: some services take a key as the user name', () => {
    expect(credentialProblems(request({ type: 'BASIC_AUTH', username: 'key', password: '' }))).toEqual({});
  });
});

describe('a credential', () => {
  const opened = (fields: Partial<CreateConnectionRequest>): unknown =>
    JSON.parse(toOpenedCredential(toStoredCredential(request(fields))));

  it.each<[string, Partial<CreateConnectionRequest>, object]>([
    ['SECRET_TEXT', { secretText: 's' }, { secretText: 's' }],
    ['BASIC_AUTH', { username: 'u', password: '' }, { username: 'u', password: '' }],
    ['CUSTOM_AUTH', { props: { refreshToken: 'own' } }, { props: { refreshToken: 'own' } }],
    ['OAUTH2', { accessToken: 'a' }, { accessToken: 'a', tokenType: 'Bearer', data: {} }],
    [
      'PLATFORM_OAUTH2',
      { accessToken: 'a', tokenType: 'mac', scope_oauth: 'x y', data: { team: 1 } },
      { accessToken: 'a', tokenType: 'mac', scope: 'x y', data: { team: 1 } },
    ],
  ])('of type %s is opened unchanged', (type, fields, credential) => {
    expect(opened({ type, ...fields })).toEqual(credential);
  });

  it('stores the refresh token and never returns it', () => {
    const fields = { type: 'OAUTH2', accessToken: 'a', refreshToken: 'r', expiresIn: 3600 };
    const stored = toStoredCredential(request(fields));
    expect(JSON.parse(stored)).toMatchObject({ refreshToken: 'r' });
    expect(opened(fields)).toEqual({ accessToken: 'a', tokenType: 'Bearer', data: {} });
  });
});

const KIB_64 = 64 * 1024;
const props = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 1]));

it.each<[string, Record<string, unknown>, string[]]>([
  ['nothing', {}, []],
  ['a text of 64 kB', { secretText: 'x'.repeat(KIB_64) }, []],
  ['one byte more', { secretText: 'x'.repeat(KIB_64 + 1) }, ['secretText']],
  ['bytes, not characters', { secretText: '漢'.repeat(KIB_64 / 2) }, ['secretText']],
  ['the larger of two that are too much together', { username: 'x', password: 'y'.repeat(KIB_64) }, ['password']],
  ['an object with its JSON', { props: { key: 'x'.repeat(KIB_64 - 10) } }, []],
  ['an object one byte larger', { props: { key: 'x'.repeat(KIB_64 - 9) } }, ['props']],
  ['100 props', { props: props(100) }, []],
  ['101 props', { props: props(101) }, ['props']],
  ['values of lists and deeper', { data: { list: [props(50), props(46)], a: null } }, []],
  ['one more of them', { data: { list: [props(50), props(47)], a: null } }, ['data']],
  ['absent fields', { secretText: 'x', props: undefined }, []],
])('%s', (_what, fields, problems) => {
  expect(Object.keys(sizeProblems(fields))).toEqual(problems);
});
