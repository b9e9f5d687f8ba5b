import { basicCredentials } from './request-tokens.js';

it.each([
  ['as it stands, of letters that mean nothing in a URL', 'secret_a-B.c~9', 'id:secret_a-B.c~9'],
  ['escaped, where it must be', 'a:b%c +ü', 'id:a%3Ab%25c%20%2B%C3%BC'],
])('sends a secret %s', (_how, clientSecret, pair) => {
  const credentials = basicCredentials({ clientId: 'id', clientSecret });
  expect(credentials).toBe(`Basic ${Buffer.from(pair).toString('base64')}`);
});
