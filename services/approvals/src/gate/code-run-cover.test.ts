import { type BatchRequest, type Cover, coverOf, isRefused, pathOf } from './code-run-cover.js';

const pending: BatchRequest = {
  ...{ status: 'pending', isReceiptGood: false, isUsedByRun: false },
  ...{ isPolicyUnchanged: true, isConnectionUnchanged: true },
};
const approved = { ...pending, status: 'approved', isReceiptGood: true };
const consumed = { ...pending, status: 'consumed', isUsedByRun: true };

it.each<[string, BatchRequest, Cover]>([
  ['waits while it is pending', pending, 'pending'],
  ['runs once it is approved', approved, 'approved'],
  ['runs again after the run used it', consumed, 'used'],
  ['has no cover if the receipt has expired', { ...approved, isReceiptGood: false }, 'none'],
  ['has no cover if the run did not use it, or too long ago', { ...consumed, isUsedByRun: false }, 'none'],
  ['has no cover after a rejection', { ...pending, status: 'rejected' }, 'none'],
])('a call of a batch request %s', (_what, batch, cover) => {
  expect(coverOf(batch)).toBe(cover);
  expect(coverOf({ ...batch, isPolicyUnchanged: false })).toBe('none');
  expect(coverOf({ ...batch, isConnectionUnchanged: false })).toBe('none');
});

it('refuses the run after each end without an approval', () => {
  const statuses = ['pending', 'approved', 'consumed', 'rejected', 'canceled', 'expired'];
  expect(statuses.filter(isRefused)).toEqual(['rejected', 'canceled', 'expired']);
});

it.each([
  ['the alias of the tool', { calledAlias: 'gh', integrationAlias: 'own' }, 'gh.create_issue'],
  ['the alias of the configured integration', { integrationAlias: 'own' }, 'own.create_issue'],
])('names a call by %s', (_what, aliases, path) => {
  const call = { integrationName: 'github', actionName: 'create_issue', category: 'write', recipients: [] };
  expect(pathOf({ ...call, ...aliases })).toBe(path);
});
