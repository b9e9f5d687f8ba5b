// Shapes: local
import { apiWith } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { REDIRECT, register } from './support/oauth.js';

let product: Drawbridge;
beforeAll(async () => void (product = await drawbridge()));

describe('a registration is refused', () => {
  it.each<[string, object, string]>([
    ['without redirect URIs', { redirect_uris: undefined }, 'invalid_redirect_uri'],
    ['with an empty list of redirect URIs', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['with redirect URIs that are not a list', { redirect_uris: REDIRECT }, 'invalid_redirect_uri'],
    ['with eleven redirect URIs', { redirect_uris: Array(11).fill(REDIRECT) }, 'invalid_redirect_uri'],
    ['with a javascript: redirect URI', { redirect_uris: [REDIRECT, 'javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['with a data: redirect URI', { redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    ['with a file: redirect URI', { redirect_uris: ['file:///etc/passwd'] }, 'invalid_redirect_uri'],
    ['with an http redirect URI', { redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
    ['with a fragment in a redirect URI', { redirect_uris: ['https://app.example/#x'] }, 'invalid_redirect_uri'],
    [
      'with user information in a redirect URI',
      { redirect_uris: ['https://a:b@app.example/'] },
      'invalid_redirect_uri',
    ],
    ['with a wildcard redirect URI', { redirect_uris: ['https://*'] }, 'invalid_redirect_uri'],
    ['with a name that is not a text', { client_name: { en: 'x' } }, 'invalid_client_metadata'],
    [
      'with private_key_jwt authentication',
      { token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata',
    ],
    ['with only another grant type', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['with only another response type', { response_types: ['token'] }, 'invalid_client_metadata'],
    ['with another application type', { application_type: 'service' }, 'invalid_client_metadata'],
    ['with a software statement', { software_statement: 'e30.e30.' }, 'invalid_software_statement'],
  ])('%s', async (_, changes, error) => {
    const { status, body } = await register(product.baseUrl, changes);
    expect([status, body]).toEqual([400, { error, error_description: expect.any(String) }]);
  });

  it.each<[string, string, string, number]>([
    ['null', 'null', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['truncated JSON', '{"redirect_uris":', 'application/json', 400],
    ['no bytes', '', 'application/json', 400],
    ['a form', 'redirect_uris=x', 'application/x-www-form-urlencoded', 400],
    ['more than 32 KiB', JSON.stringify({ x: 'x'.repeat(40_000) }), 'application/json', 413],
    ['deeply nested JSON', `${'['.repeat(15_000)}${']'.repeat(15_000)}`, 'application/json', 400],
  ])('with %s as its body', async (_, text, type, status) => {
    const sent = { text, headers: { 'content-type': type } };
    const answer = await apiWith(product.baseUrl, {}).send('POST', '/oauth/register', sent);
    expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['error', 'error_description']]);
  });

  it('except that unsupported values are replaced: the response shows the actual metadata and no secret', async () => {
    const wants = {
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'admin',
      client_id: 'mine',
      client_secret: 'x',
    };
    const { status, body, headers } = await register(product.baseUrl, wants);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        client_id_issued_at: expect.any(Number),
        client_name: 'Test',
        redirect_uris: [REDIRECT],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
