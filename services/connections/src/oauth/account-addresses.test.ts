import { piece } from '@drawbridge/piece-kit';
import {
  accountOf,
  accountProblems,
  addressProblems,
  providerAt,
  revocationUrl,
  valueProblem,
} from './account-addresses.js';

const acme = piece({
  name: 'acme',
  displayName: 'Acme',
  description: 'Acme.',
  categories: ['CORE'],
  origin: { OAUTH2: 'https://api.acme.example/{cloudId}', CUSTOM_AUTH: 'https://{site}.acme.example' },
  auth: {
    types: ['OAUTH2', 'CUSTOM_AUTH', 'SECRET_TEXT'],
    required: true,
    account: { site: { displayName: 'Site', description: 'Its name.' } },
    props: { site: { displayName: 'Site', required: false, secret: false } },
    oauth2: {
      authUrl: 'https://{site}.acme.example/authorize',
      tokenUrl: 'https://{site}.acme.example/token',
      scopes: [],
      revoke: { url: 'https://{site}.acme.example/apps/{client_id}' },
    },
  },
  actions: {},
});
const plain = piece({ ...acme, origin: 'https://acme.example', auth: { types: ['SECRET_TEXT'], required: true } });

it('fills the addresses of one account', () => {
  expect(providerAt(acme, { site: 'A1' })).toMatchObject({
    authUrl: 'https://a1.acme.example/authorize',
    tokenUrl: 'https://a1.acme.example/token',
  });
  expect(revocationUrl(acme, { site: 'a1', client_id: 'evil' }, 'a/b')).toBe('https://a1.acme.example/apps/a%2Fb');
  expect([providerAt(plain, {}), revocationUrl(plain, {}, 'a')]).toEqual([undefined, undefined]);
});

it.each([{}, { site: 'evil.com/' }, { site: '' }, { site: 'a.b' }, { site: 'a:1' }])(
  'sends no secret with %j',
  (values) => {
    expect(() => providerAt(acme, values)).toThrow("The connection's site");
    expect(() => revocationUrl(acme, values, 'a')).toThrow("The connection's site");
  },
);

it('reads only declared values', () => {
  expect(accountOf(acme, { site: 'a', cloudId: 'b', constructor: 'c' })).toEqual({ site: 'a' });
  expect([accountOf(acme), accountOf(plain, { site: 'a' })]).toEqual([{}, {}]);
});

it.each<[string, object, string[]]>([
  ['OAUTH2', {}, ['site']],
  ['PLATFORM_OAUTH2', { site: 'a@b' }, ['site']],
  ['OAUTH2', { site: 'a' }, []],
  ['CUSTOM_AUTH', {}, []],
  ['CUSTOM_AUTH', { site: 'a/b' }, ['site']],
  ['SECRET_TEXT', {}, []],
])('validates the values of %s with %j', (type, values, names) => {
  expect(Object.keys(accountProblems(acme, type, values as Record<string, unknown>))).toEqual(names);
});

it('requires a value of a required prop', () => {
  const props = { site: { displayName: 'Site', required: true, secret: false } };
  expect(accountProblems({ ...acme, auth: { ...acme.auth!, props } }, 'CUSTOM_AUTH', {})).toEqual({
    site: 'is required',
  });
});

it('names the first value that an address lacks', () => {
  expect(addressProblems(acme, 'OAUTH2', { site: 'a' })).toEqual({ cloudId: 'is absent' });
  expect(addressProblems(acme, 'OAUTH2', { site: 'a', cloudId: 'b' })).toEqual({});
  expect(addressProblems(acme, 'CUSTOM_AUTH', {})).toEqual({ site: 'is absent' });
  expect(addressProblems(acme, 'SECRET_TEXT', {})).toEqual({});
  expect(addressProblems(plain, 'SECRET_TEXT', {})).toEqual({});
});

it('does not hide a defect', () => {
  expect(() =>
    valueProblem(() => {
      throw new TypeError('a defect');
    }),
  ).toThrow('a defect');
});
