import { callbackProblem, createEgress, httpsProblem } from './index.js';

const egress = (allow: string[]) =>
  createEgress({ allow, originMap: { 'http://mapped.example': 'http://127.0.0.1:9' } });
const problem = (url: string, allow: string[] = []): string | undefined => callbackProblem(egress(allow), url);

it.each<[string, string[]]>([
  ['https://acme.example/events', []],
  ['http://localhost:4000/events', ['127.0.0.1']],
  ['http://localhost:4000/events', ['localhost']],
  ['http://127.0.0.1:4000', ['127.0.0.0/8']],
  ['http://[::1]:4000', ['::1']],
  ['http://10.1.2.3:4000', ['10.0.0.0/8']],
  ['http://laptop.internal:4000', ['laptop.internal:4000']],
])('takes %s where EGRESS_ALLOW is %j', (url, allow) => {
  expect(problem(url, allow)).toBeUndefined();
});

it.each<[string, string[]]>([
  ['http://localhost:4000', []],
  ['http://localhost:4000', ['127.0.0.1:4001']],
  ['http://acme.example', ['127.0.0.1', '0.0.0.0/0']],
  ['http://laptop.internal:4001', ['laptop.internal:4000']],
  ['http://mapped.example', []],
])('names the remedy for %s with EGRESS_ALLOW=%j', (url, allow) => {
  const advice = `must use https (got ${url}). For local development list the address in EGRESS_ALLOW.`;
  expect(problem(url, allow)).toBe(advice);
});

it('quotes no path, query or credentials', () => {
  expect(problem('http://user:secret@acme.example/secret?key=secret')).not.toContain('secret');
});

it.each([
  'ftp://acme.example',
  'nowhere',
  '',
  'https://10.0.0.1/',
  'https://user:pass@acme.example/',
  ' https://a.example/',
])('refuses %j', (url) => {
  expect(problem(url)).toMatch(/^must be a public HTTPS URL: /);
});

it.each(['http://localhost:4000/approvals', 'http://127.0.0.1:4000'])(
  'refuses %s for the webhook of an approver, although EGRESS_ALLOW lists it',
  (url) => {
    expect(httpsProblem(egress(['localhost', '127.0.0.1']), url)).toBe('must be a public HTTPS URL');
  },
);
