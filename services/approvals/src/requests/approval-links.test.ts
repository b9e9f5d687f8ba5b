import { linkKeeper } from './approval-links.js';

const id = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const linkId = '01926b3c-5a2e-7c41-9d0f-000000000001';
const keeper = linkKeeper('k'.repeat(32));
const theirs = keeper.endUserTokenOf(id, linkId);
const linksIn = (approvalAccessMode: string) => keeper.linksTo({ id, approvalAccessMode });
const tokenIn = (url = ''): string => new URL(url, 'https://x.example').searchParams.get('token') ?? '';

it.each([
  ['dashboard_only', true, false],
  ['dashboard_and_hosted_link', true, true],
  ['hosted_link_only', false, true],
])('shows in the access mode %s the links that it allows', (mode, signedIn, hosted) => {
  const { approvalUrl, hostedApprovalUrl } = linksIn(mode);
  expect(approvalUrl).toBe(signedIn ? `/approvals/apr_${id}` : undefined);
  expect(hostedApprovalUrl !== undefined).toBe(hosted);
});

it('gives a request one token for any bearer and one for its end user, and distinguishes them', () => {
  const token = tokenIn(linksIn('hosted_link_only').hostedApprovalUrl);
  expect(token).toMatch(/^apr_link_[\w-]{43}$/);
  expect(tokenIn(linkKeeper('k'.repeat(32)).linksTo({ id, approvalAccessMode: '' }).hostedApprovalUrl)).toBe(token);
  expect(keeper.bearerOf(id, token)).toEqual({ type: 'hosted_link' });
  expect(theirs).toMatch(/^apr_link_[\w-]{43}\.[0-9a-f-]{36}$/);
  expect(keeper.bearerOf(id, theirs)).toEqual({ type: 'end_user', linkId });
});

it.each([
  ['of another request', id.replace('0192', '0193'), (token: string) => token],
  ['that was changed', id, (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
  ['that is empty', id, () => ''],
  ['that is longer', id, (token: string) => token + token],
])('does not take a token %s', (_what, asked, change) => {
  const token = tokenIn(linksIn('hosted_link_only').hostedApprovalUrl);
  for (const one of [token, theirs]) expect(keeper.bearerOf(asked, change(one))).toBeUndefined();
});

it('takes no token of an end user without the link by which they came, or with another', () => {
  const [token] = theirs.split('.');
  for (const one of [token!, `${token}.`, `${token}.${id}`]) expect(keeper.bearerOf(id, one)).toBeUndefined();
});

it('makes other tokens of another key', () => {
  const token = tokenIn(linksIn('hosted_link_only').hostedApprovalUrl);
  const other = linkKeeper('j'.repeat(32));
  for (const one of [token, theirs]) expect(other.bearerOf(id, one)).toBeUndefined();
});
