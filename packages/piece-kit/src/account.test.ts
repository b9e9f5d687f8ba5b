import { accountProblem, addressFor, fillAddress } from './account.js';
import { type Answer, type SendRequest } from './answer.js';
import { type Credential } from './credential.js';
import { openPiece, piece, type Piece } from './piece.js';
import { AccountError } from './provider-error.js';

const ZENDESK = 'https://{subdomain}.zendesk.com';
const subdomain = { displayName: 'Subdomain', description: 'The first part of the address.' };

it.each([
  [ZENDESK, { subdomain: 'Acme' }, 'https://acme.zendesk.com'],
  ['https://api.atlassian.com/ex/jira/{cloudId}', { cloudId: 'a/b c' }, 'https://api.atlassian.com/ex/jira/a%2Fb%20c'],
  ['https://api.telegram.org/bot{secretText}', { secretText: '1:a' }, 'https://api.telegram.org/bot1%3Aa'],
  ['{instanceUrl}', { instanceUrl: 'https://acme.my.salesforce.com/' }, 'https://acme.my.salesforce.com'],
  ['https://{host}', { host: 'git.acme.example:8443' }, 'https://git.acme.example:8443'],
  ['https://api.example.com/{id}', { id: 7 }, 'https://api.example.com/7'],
])('fills %s with %j', (template, values, expected) => {
  expect(fillAddress(template, values)).toBe(expected);
});

it.each([
  'evil.com/',
  'evil.com#',
  'a@evil.com',
  'evil.com\\',
  'a b',
  '',
  '.',
  '-a',
  'a:1',
  'ä',
  'evil.com?',
  'a.b',
  '__proto__',
])('refuses the subdomain %j', (value) => {
  expect(accountProblem(subdomain, value)).toBeDefined();
  expect(() => fillAddress(ZENDESK, { subdomain: value }, { subdomain })).toThrow("The connection's subdomain");
});

it.each(['evil.com/', 'evil.com:443', 'a@evil.com', 'evil.com#', 'evil.com\\', 'evil.com?', 'a:b', 'a\n'])(
  'refuses the host %j also without a declared field',
  (value) => {
    expect(() => fillAddress(ZENDESK, { subdomain: value })).toThrow('is not a host name');
  },
);

it.each([
  'javascript:1',
  'https://a.example/x',
  'https://u@a.example',
  'https://a.example/?x',
  'a.example',
  'https:///',
])('refuses the origin %j', (instanceUrl) => {
  expect(() => fillAddress('{instanceUrl}', { instanceUrl })).toThrow('is not an origin');
});

it.each([{}, { subdomain: '' }, { subdomain: null }, { subdomain: ['a'] }])(
  'names the value that %j lacks',
  (values) => {
    expect(() => fillAddress(ZENDESK, values)).toThrow(
      "The connection's subdomain is absent. Connect the account again.",
    );
  },
);

it.each(['.', '..', '\ud800'])('refuses the path segment %j', (id) => {
  expect(() => fillAddress('https://a.example/{id}', { id })).toThrow(AccountError);
  expect(() => fillAddress('https://a.example/{id}', { id })).toThrow(expect.objectContaining({ value: 'id' }));
});

it('ignores inherited names', () => {
  expect(() => fillAddress('https://{constructor}.example.com', {})).toThrow('constructor is absent');
});

it('has an address for each type of connection', () => {
  const address = { OAUTH2: 'https://a.example', CUSTOM_AUTH: 'https://b.example' };
  const types = ['OAUTH2', 'PLATFORM_OAUTH2', 'CUSTOM_AUTH', 'SECRET_TEXT'] as const;
  expect(types.map((type) => addressFor(address, type))).toEqual([
    'https://a.example',
    'https://a.example',
    'https://b.example',
    undefined,
  ]);
});

const token = (data: Record<string, string>): Credential => ({
  type: 'OAUTH2',
  accessToken: 't',
  tokenType: 'Bearer',
  data,
});

/** Opens a piece with this origin, and records the URLs of its requests. */
function open(origin: Piece['origin'], credential: Credential, responseUrl?: string) {
  const urls: string[] = [];
  const send = async ({ url }: SendRequest): Promise<Answer> => {
    urls.push(url);
    return { status: 200, headers: {}, body: new TextEncoder().encode('{}'), url: responseUrl ?? url };
  };
  const about = { name: 'example', displayName: 'E', description: 'E', categories: ['CORE'] as const, actions: {} };
  const auth = { types: ['OAUTH2'] as const, required: true };
  const opened = piece({ ...about, origin, origins: ['https://files.example.com'], auth });
  return { urls, http: openPiece(opened, { credential, send }) };
}

it('sends requests to the address of the account, below its path', async () => {
  const { urls, http } = open('https://{subdomain}.example.com/v1', token({ subdomain: 'acme' }));
  await http.json({ method: 'GET', path: '/x' });
  await http.json({ method: 'GET', path: 'https://acme.example.com/v1/y' });
  await http.json({ method: 'GET', path: 'https://files.example.com/z' });
  expect(urls).toEqual([
    'https://acme.example.com/v1/x',
    'https://acme.example.com/v1/y',
    'https://files.example.com/z',
  ]);
  for (const path of ['/../x', '/%2e%2e/x', 'https://acme.example.com/x', 'https://other.example.com/v1/x', '//x']) {
    await http.json({ method: 'GET', path }).catch(() => undefined);
  }
  expect(urls.slice(3)).toEqual(['https://acme.example.com/v1//x']);
});

it('reaches a further origin before the account is known', async () => {
  const { urls, http } = open('https://{subdomain}.example.com', token({}));
  await http.json({ method: 'GET', path: 'https://files.example.com/me' });
  expect(urls).toHaveLength(1);
  await expect(http.json({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'CONNECTION_INCOMPLETE' });
});

it('reads a value in time linear in its size', () => {
  const cost = (size: number): number => {
    const began = process.cpuUsage();
    for (let i = 0; i < 20; i++) accountProblem({ ...subdomain, pattern: '[a-z-]+' }, 'a-'.repeat(size));
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  cost(1_000);
  expect(cost(400_000)).toBeLessThan(50_000);
});
