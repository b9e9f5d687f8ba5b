import { type EarlierRequest, type Standing, standingOf } from './standing.js';

const pending: EarlierRequest = {
  status: 'pending',
  policyId: 'p',
  inputHash: 'h',
  defaultOnTimeout: 'reject',
  isReceiptGood: false,
  expiredLately: false,
  usedLately: false,
};
const approved = { ...pending, status: 'approved', isReceiptGood: true };
const consumed = { ...pending, status: 'consumed', usedLately: true };
const expired = { ...pending, status: 'expired', expiredLately: true };
const same = { inputHash: 'h', policyId: 'p' };
const mutated = { ...same, inputHash: 'i' };
const byAnother = { ...same, policyId: 'q' };

it.each<[string, EarlierRequest | undefined, typeof same, Standing]>([
  ['opens a request where there is none', undefined, same, 'none'],
  ['waits on where it is pending', pending, same, 'pending'],
  ['runs where it is approved', approved, same, 'approved'],
  ['opens another where its receipt is over', { ...approved, isReceiptGood: false }, same, 'none'],
  ['opens another after a rejection', { ...pending, status: 'rejected' }, same, 'none'],
  ['opens another after a cancelation', { ...pending, status: 'canceled' }, same, 'none'],
  ['comes late to the race where it was just used', consumed, same, 'approved'],
  ['opens another long after it was used', { ...consumed, usedLately: false }, same, 'none'],
  ['may not run lately after nobody decided', expired, same, 'refused'],
  ['opens another long after nobody decided', { ...expired, expiredLately: false }, same, 'none'],
  ['opens another at once where the policy says so', { ...expired, defaultOnTimeout: 'expire' }, same, 'none'],
  ['is refused the key of another call that waits', pending, mutated, 'taken'],
  ['is refused the key of another call that may run', approved, mutated, 'taken'],
  ['is refused the key of another call that may not', expired, mutated, 'taken'],
  ['may have the key of another call that was rejected', { ...pending, status: 'rejected' }, mutated, 'none'],
  ['is refused the key of another call that ran', consumed, mutated, 'taken'],
  ['may have the key of another call that ran long ago', { ...consumed, usedLately: false }, mutated, 'none'],
  ['does not run where another policy was answered', approved, byAnother, 'none'],
  ['does not wait for the answer to another policy', pending, byAnother, 'none'],
])('a call %s', (_what, earlier, call, standing) => expect(standingOf(earlier, call)).toBe(standing));
