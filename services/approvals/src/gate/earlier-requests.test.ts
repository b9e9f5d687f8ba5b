import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import {
  type AskedCall,
  type Asker,
  type EarlierRequest,
  findStanding,
  inputHash,
  type Standing,
  standingOf,
} from './earlier-requests.js';

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
  ['is refused soon after an expired request', expired, same, 'refused'],
  ['opens another long after an expired request', { ...expired, expiredLately: false }, same, 'none'],
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

const ID = '01890000-0000-7000-8000-00000000000a';
const asker: Asker = { orgId: 'o', workspaceId: ID };
const call: GatedCall = {
  integrationName: 'github',
  workspaceIntegrationId: ID,
  integrationAlias: 'gh',
  connectionStrategy: 'fixed',
  actionName: 'create_issue',
  category: 'write',
  connectionId: ID,
  connectionGeneration: 1,
  account: 'Acme',
  endUserId: 'ann',
  mcpServerId: undefined,
  input: { a: 1, b: { c: [1, '2', null] } },
  recipients: [],
  stateOf: undefined,
};
const hash = (changes: Partial<GatedCall> = {}, who: Partial<Asker> = {}): string =>
  inputHash({ ...asker, ...who }, { ...call, ...changes });

it.each<[string, Partial<GatedCall>, Partial<Asker>]>([
  ['the order of keys', { input: { b: { c: [1, '2', null] }, a: 1 } }, {}],
  ['how a number is written', { input: { a: 1.0, b: { c: [1, '2', null] } } }, {}],
  ['the two cases of a UUID', {}, { workspaceId: ID.toUpperCase() }],
  ['the strategy that found its connection', { connectionStrategy: 'per_user' }, {}],
  ['the server of an agent', { mcpServerId: 'm' }, {}],
])('takes %s for the same call', (_what, changes, who) => expect(hash(changes, who)).toBe(hash()));

it('takes an absent input and {} for the same call', () => {
  expect(hash({ input: undefined })).toBe(hash({ input: {} }));
});

it.each<[string, Partial<GatedCall>, Partial<Asker>]>([
  ['input', { input: { a: 2, b: { c: [1, '2', null] } } }, {}],
  ['input, deep in it', { input: { a: 1, b: { c: [1, 2, null] } } }, {}],
  ['input, in the order of a list', { input: { a: 1, b: { c: ['2', 1, null] } } }, {}],
  ['integration', { integrationName: 'gitlab' }, {}],
  ['configured integration', { workspaceIntegrationId: ID.replace('a', 'b') }, {}],
  ['alias', { integrationAlias: 'gh2' }, {}],
  ['action', { actionName: 'comment' }, {}],
  ['connection', { connectionId: undefined }, {}],
  ['generation of the credential', { connectionGeneration: 2 }, {}],
  ['account label', { account: 'Other' }, {}],
  ['end user', { endUserId: 'bob' }, {}],
  ['state', { stateOf: 'workspace ' }, {}],
  ['missing end user', { endUserId: undefined }, {}],
  ['organization', {}, { orgId: 'p' }],
  ['workspace', {}, { workspaceId: ID.replace('a', 'b') }],
])('tells calls apart by their %s', (_what, changes, who) => expect(hash(changes, who)).not.toBe(hash()));
