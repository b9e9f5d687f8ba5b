import { type Credential } from '@drawbridge/piece-kit';
import { secretsOf } from './secrets-of.js';

const oauth = { type: 'OAUTH2', accessToken: 'access', tokenType: 'Bearer' } as const;
const custom = (props: Extract<Credential, { type: 'CUSTOM_AUTH' }>['props']): Credential => ({
  type: 'CUSTOM_AUTH',
  props,
});

const BASIC = ['pass', 'admin:pass'];

describe('the secrets of a credential', () => {
  it.each<[string, Credential | undefined, string[]]>([
    ['there is none', undefined, []],
    ['a key', { type: 'SECRET_TEXT', secretText: 'sk_1' }, ['sk_1']],
    ['a key of 3 characters is none', { type: 'SECRET_TEXT', secretText: '😀😀😀' }, []],
    ['a password, alone and with its user', { type: 'BASIC_AUTH', username: 'admin', password: 'pass' }, BASIC],
    ['a user without a password is no pair', { type: 'BASIC_AUTH', username: 'ann', password: '' }, []],
    ['a short password is one with its user', { type: 'BASIC_AUTH', username: 'ann', password: 'p' }, ['ann:p']],
    ['a key as the user name', { type: 'BASIC_AUTH', username: 'sk_123', password: '' }, ['sk_123']],
    ['a token', { ...oauth, data: { id_token: 'identity', site: 'example.com' } }, ['access', 'identity']],
    ['tokens deeper in its data', { ...oauth, data: { tokens: [{ a: 'one1' }, 12345] } }, ['access', '12345', 'one1']],
    [
      'strings and numbers of 8 characters',
      custom({ a: ['12345678', '1234567'], pin: 87654321, eu: 'eu' }),
      ['87654321', '12345678'],
    ],
    ['nothing that is neither', custom({ a: true, b: null, c: {} }), []],
  ])('%s', (_what, credential, secrets) => {
    expect(secretsOf(credential).sort()).toEqual(secrets.sort());
  });

  const declared = {
    pin: { displayName: 'PIN', required: true, secret: true },
    region: { displayName: 'Region', required: true, secret: false },
  };
  it.each([
    ['a declared secret', { pin: 1234 }, ['1234']],
    ['not one of 3 characters', { pin: '123' }, []],
    ['not what is declared open', { region: 'eu-central-1' }, []],
    ['an undeclared value', { other: 'abcd' }, ['abcd']],
    ['a key of a file, and what is quoted of it', { pin: 'BEGIN\nEND\n' }, ['BEGIN\nEND\n', 'BEGIN\nEND']],
  ])('of declared props: %s', (_what, props, secrets) => {
    expect(secretsOf(custom(props), declared)).toEqual(secrets);
  });
});
