import { parseOidcProviders } from './oidc-providers.js';

const ACME = { issuer: 'https://id.acme.example', clientId: 'drawbridge', clientSecret: 'hidden' };
const parse = (providers: object) => parseOidcProviders(JSON.stringify(providers));

describe('identity providers', () => {
  it('are none where none are named', () => expect(parseOidcProviders(' ')).toEqual([]));

  it('are displayed by name and asked for an email by default', () => {
    expect(parse({ acme: ACME })).toEqual([
      { name: 'acme', displayName: 'acme', ...ACME, scopes: ['openid', 'email', 'profile'] },
    ]);
    const [provider] = parse({ acme: { ...ACME, displayName: 'Acme', scopes: 'email openid' } });
    expect(provider).toMatchObject({ displayName: 'Acme', scopes: ['openid', 'email'] });
  });

  it.each([
    [{ Acme: ACME }, 'a name must be'],
    [{ acme: 'hidden' }, 'acme must be a JSON object'],
    [{ acme: { ...ACME, clientSecret: '' } }, 'acme.clientSecret must be a string'],
    [{ acme: { ...ACME, hidden: 1 } }, 'acme has an unknown key. The keys are issuer,'],
    [{ acme: { ...ACME, issuer: 'http://id.acme.example' } }, 'acme.issuer must be an https URL'],
    [{ acme: { ...ACME, issuer: 'https://a:hidden@id.acme.example' } }, 'acme.issuer must be an https URL'],
    [{ acme: { ...ACME, scopes: ['email'] } }, 'acme.scopes must be a string'],
  ])('are refused with the problem but not the value: %j', (providers, problem) => {
    expect(() => parse(providers)).toThrow(`OIDC_PROVIDERS: ${problem}`);
    expect(() => parse(providers)).not.toThrow('hidden');
  });

  it.each(['{', '/nowhere/hidden.json', '[]'])('are read from JSON or a file: %s', (text) => {
    expect(() => parseOidcProviders(text)).toThrow('OIDC_PROVIDERS: must be a JSON object or the path');
  });
});
