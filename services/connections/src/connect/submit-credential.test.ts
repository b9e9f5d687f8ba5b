import { piece } from '@drawbridge/piece-kit';
import { secretsOf, typedCredential } from './submit-credential.js';

const acme = piece({
  name: 'acme',
  displayName: 'Acme',
  description: 'Acme.',
  categories: ['CORE'],
  auth: {
    types: ['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH'],
    required: true,
    props: {
      key: { displayName: 'Key', required: true, secret: true },
      region: { displayName: 'Region', required: false, secret: false },
    },
  },
  actions: {},
});

it.each([
  ['SECRET_TEXT', { secretText: 's', other: 'x' }, { secretText: 's' }],
  ['BASIC_AUTH', { username: 'u', password: '' }, { username: 'u', password: '' }],
  ['CUSTOM_AUTH', { key: 'k', region: '', strange: 'x' }, { props: { key: 'k' } }],
])('converts form fields to %s', (type, typed, credential) => {
  expect(typedCredential(acme, type, typed)).toEqual({ type, ...credential });
});

it.each([
  ['SECRET_TEXT', {}, 'secretText'],
  ['BASIC_AUTH', { password: 'p' }, 'username'],
  ['CUSTOM_AUTH', { region: 'eu' }, 'key'],
  ['SECRET_TEXT', { secretText: 'x'.repeat(70_000) }, 'secretText'],
])('names the problem of %s without its value', (type, typed, field) => {
  const refuse = () => typedCredential(acme, type, typed);
  expect(refuse).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', details: { fields: { [field]: expect.anything() } } }),
  );
  expect(refuse).not.toThrow('xxx');
});

it('marks secret fields', () => {
  const basic = typedCredential(acme, 'BASIC_AUTH', { username: 'u', password: 'p' });
  expect(secretsOf(basic)).toEqual(['u', 'p', 'u:p']);
});
