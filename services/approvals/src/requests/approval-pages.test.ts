import { type CallContext, runInContext } from '@drawbridge/rpc';
import { approvalPages, isShownInFull } from './approval-pages.js';

it.each([
  ['a preview with all fields', { inputPreview: { to: 'ann' } }, true],
  ['an empty preview', { inputPreview: {} }, true],
  ['a preview with a truncated field', { inputPreview: { a: {} }, truncatedFields: ['a'] }, false],
  ['a preview that omits fields', { inputPreview: { a: 1 }, omittedFields: 1 }, false],
  ['a preview of an earlier version that was cut', { inputPreview: { truncated: true, preview: '{"a":' } }, false],
])('tells whether %s shows the input in full', (_what, row, expected) => {
  expect(isShownInFull({ truncatedFields: [], omittedFields: 0, ...row })).toBe(expected);
});

const ID = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const PLACE = { orgId: ID, workspaceId: ID, endUserId: null };
const ROW = {
  ...{ id: ID, orgId: ID, workspaceId: ID, integrationName: 'slack', actionName: 'send_message' },
  ...{ account: 'ann@customer.example', inputPreview: { channel: '#general' } },
  ...{ redactedPaths: [], truncatedFields: [], omittedFields: 0, batchTools: [], codeRunId: null, deciderType: null },
};

/** Opens the page of a hosted link. */
function shownByLink(status: string) {
  const pages = approvalPages({
    db: { approvalRequest: { findFirst: async () => ({ ...ROW, status }) } },
    pool: { query: async ({ name }: { name: string }) => ({ rows: name === 'find-linked-approval' ? [PLACE] : [] }) },
    links: { bearerOf: () => ({ type: 'hosted_link' }), linksTo: () => ({}) },
    requireWorkspace: async () => undefined,
  } as unknown as Parameters<typeof approvalPages>[0]);
  const context = { requestId: 'r', deadline: Infinity } as CallContext;
  return runInContext(context, () => pages.showByLink({ id: `apr_${ID}`, token: 't' }));
}

it('shows the bearer of a link what the call does, with its account, until the decision alone', async () => {
  const said = { summary: 'Send a message to “#general”', account: 'ann@customer.example' };
  expect(await shownByLink('pending')).toMatchObject({ ...said, mayDecide: true });
  for (const status of ['approved', 'consumed', 'rejected', 'canceled', 'expired']) {
    const nothing = { summary: undefined, account: undefined };
    expect(await shownByLink(status)).toMatchObject({ ...nothing, mayDecide: false });
  }
});
