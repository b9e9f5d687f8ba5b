// Shapes: none; in full: local
import { drawbridge } from './support/drawbridge.js';
import { newPerson, signIn } from './support/web-users.js';
import { type Shown, type Web, webOf } from './support/web.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** All forms of the pages, with the fields that they read. The value is also appended to a path that ends with `=`. */
const FORMS: Record<string, string[]> = {
  '/sign-in?next=': ['email', 'password'],
  '/sign-in/email?next=': ['email'],
  '/sign-in/link': ['token', 'next'],
  '/sign-out': [],
  '/sign-up': ['invitation', 'name', 'newPassword'],
  '/sign-up/join': ['invitation'],
  '/account/name': ['name'],
  '/account/password': ['currentPassword', 'newPassword'],
  '/account/organization': ['orgId'],
  '/account/sessions': ['sessionId'],
};
const QUERIES = ['/sign-in?next=', '/sign-in/link?token=', '/sign-up?invitation=', '/account?done=', '/sign-in/with/'];

/** Form-encoded values: half of a surrogate pair, NUL, invalid UTF-8, invalid escapes, names of object properties, a script, 15 kB. */
const VALUES = [
  ...['%ED%A0%80', '%00a%00', '%FF%FE', '%', '%zz', '__proto__', 'constructor', '%3Cscript%3Ealert(1)%3C/script%3E'],
  ...[
    UNKNOWN_ID,
    '%0D%0ASet-Cookie:%20a=b',
    'a@b%0D%0Ac',
    '%F0%9F%98%80'.repeat(1_250),
    '//evil.example',
    '-1',
    '%27%20OR%201=1',
  ],
];

let baseUrl: string;
let person: Web;

beforeAll(async () => {
  const { databaseUrl, ...product } = await drawbridge();
  baseUrl = product.baseUrl;
  person = await signIn(baseUrl, await newPerson(databaseUrl));
});

const callers = (): [string, Web][] => [
  ['a stranger', webOf(baseUrl)],
  ['a person', webOf(baseUrl, new Map(person.cookies))],
];

/** Expects a page, or a redirect to a page of Drawbridge, that does not contain the sent value unescaped. */
function expectPage({ status, text, to, headers }: Shown): void {
  expect(status).toBeLessThan(500);
  if (to === null) expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.getSetCookie().filter((line) => !/^(session|browser)=/.test(line))).toEqual([]);
  expect(text).not.toMatch(/<script|node_modules|undefined/);
  if (to !== null) expect(new URL(to, baseUrl).origin).toBe(baseUrl);
}

describe.each(Object.entries(FORMS))('the form of %s', (path, fields) => {
  it('answers any field value with a page', async () => {
    for (const value of VALUES) {
      const body = fields.map((name) => `${name}=${value}`).join('&');
      // The test uses one caller for each form, because each sign-in hashes a password, which is slow. Forms of /account need the signed-in caller.
      const [web] = callers()
        .slice(path.startsWith('/account') ? 1 : 0)
        .map(([, who]) => who);
      const target = path.endsWith('=') ? path + value : path;
      expectPage(await web!.send('POST', target, { body, headers: FORM }));
    }
  });

  it.each([
    ['is too large', { body: `email=${'a'.repeat(70_000)}`, headers: FORM }, 413],
    ['is not form-encoded', { body: '{}', headers: { 'content-type': 'application/json' } }, 400],
    ['has no content type', { headers: {} }, 400],
    ['comes from another site', { body: '', headers: { ...FORM, origin: 'https://evil.example' } }, 403],
    ['comes from a page without an origin', { body: '', headers: { ...FORM, origin: 'null' } }, 403],
    ['has a wrong content encoding', { body: 'a=b', headers: { ...FORM, 'content-encoding': 'gzip' } }, 400],
  ])('is refused when it %s', async (_what, sent, status) => {
    for (const [who, web] of callers()) {
      const shown = await web.send('POST', path, sent);
      expectPage(shown);
      expect({ who, status: shown.status }).toEqual({ who, status });
    }
  });
});

it.each(QUERIES)('%s answers any value with a page', async (path) => {
  for (const value of VALUES) for (const [, web] of callers()) expectPage(await web.get(path + value));
});
