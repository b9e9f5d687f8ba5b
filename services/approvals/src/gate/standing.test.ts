import { type AskedCall, type EarlierRequest, findStanding, type Standing, standingOf } from './standing.js';

const pending: EarlierRequest = {
  status: 'pending',
  policyId: 'p',
  inputHash: 'h',
  requestHash: 'r',
  defaultOnTimeout: 'reject',
  isReceiptGood: false,
  expiredLately: false,
  usedLately: false,
};
const approved = { ...pending, status: 'approved', isReceiptGood: true };
const consumed = { ...pending, status: 'consumed', usedLately: true };
const expired = { ...pending, status: 'expired', expiredLately: true };
const same = { inputHash: 'h', requestHash: 'r', policyId: 'p' };
const mutated = { ...same, inputHash: 'i', requestHash: 's' };
const rebound = { ...same, inputHash: 'i' };
const byAnother = { ...same, policyId: 'q' };

it.each<[string, EarlierRequest, AskedCall, Standing]>([
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
  ['does not run where its connection was reconnected since', approved, rebound, 'none'],
  ['does not wait where its connection was reconnected since', pending, rebound, 'none'],
  ['runs where another request means the same call', approved, { ...same, requestHash: 's' }, 'approved'],
  ['opens another where an older version approved something else', { ...approved, requestHash: null }, mutated, 'none'],
])('a call %s', (_what, earlier, call, standing) => expect(standingOf(earlier, call)).toBe(standing));

describe('of several requests under one key', () => {
  const older = { ...approved, id: 'older' };
  const newer = { ...pending, inputHash: 'i', id: 'newer' };

  it.each<[string, AskedCall, { standing: Standing; earlier?: { id: string } }]>([
    ['the one of the very call counts', same, { standing: 'approved', earlier: { id: 'older' } }],
    ['the other one counts for the other call', rebound, { standing: 'pending', earlier: { id: 'newer' } }],
    ['none counts for a third call of the same request', { ...same, inputHash: 'j' }, { standing: 'none' }],
    ['each refuses its key to another request', { ...mutated, inputHash: 'j' }, { standing: 'taken' }],
  ])('%s', (_what, call, found) => expect(findStanding([newer, older], call)).toMatchObject(found));

  it('there may be none', () => expect(findStanding([], same)).toEqual({ standing: 'none' }));
});
