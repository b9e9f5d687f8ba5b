import { headerProblems } from './callback-headers.js';

const problemsOf = (headers: Record<string, unknown>): string[] =>
  headerProblems(headers).map(([path, why]) => `${path} ${why}`);

describe('the headers of a callback', () => {
  it.each([
    [{}],
    [{ authorization: 'Bearer x', 'X-Tenant': 'acme', cookie: 'a=b' }],
    [{ 'x-empty': '' }],
    [{ 'x-tab': 'a\tb' }],
    [Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, 'v']))],
  ])('may be %j', (headers) => {
    expect(headerProblems(headers)).toEqual([]);
  });

  it.each([
    'Connection',
    'content-length',
    'Content-Type',
    'content-encoding',
    'expect',
    'HOST',
    'keep-alive',
    'te',
    'trailer',
    'Transfer-Encoding',
    'upgrade',
    'proxy-authorization',
    'webhook-id',
    'Webhook-Signature',
    'X-Svc-Signature',
    'x-svc-anything',
  ])('are refused where %s is reserved', (name) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([`callbackHeaders.${name} is reserved`]);
  });

  it.each([
    [{ 'a b': 'x' }, 'callbackHeaders.a b is no name of a header'],
    [{ '': 'x' }, 'callbackHeaders. is no name of a header'],
    [{ 'x-é': 'x' }, 'callbackHeaders.x-é is no name of a header'],
    [{ x: 1 }, 'callbackHeaders.x must be a text'],
    [{ x: null }, 'callbackHeaders.x must be a text'],
    [{ x: 'a\r\nhost: evil' }, 'callbackHeaders.x must be of printable ASCII characters'],
    [{ x: 'é' }, 'callbackHeaders.x must be of printable ASCII characters'],
    [{ x: 'a', X: 'b' }, 'callbackHeaders.X is given twice'],
  ])('can not be %j', (headers, problem) => {
    expect(problemsOf(headers)).toEqual([problem]);
  });

  it('are at most 20, and 8 kB', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'v']));
    expect(problemsOf(many)).toEqual(['callbackHeaders must be at most 20, are 21']);
    expect(problemsOf({ x: 'v'.repeat(8_192) })).toEqual([
      'callbackHeaders must be at most 8192 bytes as JSON, are 8200',
    ]);
  });
});
