import { ApiError, type ErrorCode } from '@drawbridge/contracts';
import { newWebhookSecret } from '@drawbridge/jobs';
import { createLogger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { SECRETS } from '../testing/memory-vault.js';
import { attempt } from './attempt.js';
import { type OpenDelivery } from './callback.js';

const open = {
  ...{ isWanted: true, tries: 1, attempt: 1, eventId: 'e', payload: '{}' },
  callbackUrl: 'https://a.example',
};

let sent: number;
beforeEach(() => (sent = 0));

const parts = {
  ...{ pool: {} as Pool, log: createLogger('triggers', 'silent') },
  states: { find: async () => 'live' as const },
  egress: {
    sendFor: () => async () => {
      sent++;
      return { status: 200, headers: {}, body: new Uint8Array(), url: '' };
    },
  },
};

it.each([
  ['sends what it began', 60_000, { status: 'success', isSpent: true }, 1],
  ['sends nothing once another may, and has spent no try', -1, { status: 'retrying', isSpent: false }, 0],
])('%s', async (_what, leftMs, expected, times) => {
  const opened = { ...SECRETS, signingSecret: newWebhookSecret() };
  const secrets = { open: async () => opened, reopen: async () => opened };
  const delivery = { ...open, sendBy: performance.now() + leftMs } as OpenDelivery;
  expect([await attempt({ ...parts, secrets }, delivery, '{}'), sent]).toEqual([
    expect.objectContaining(expected),
    times,
  ]);
});

it('keeps the event of a trigger without a callback, which the previous version has recorded as due', async () => {
  const never = () => Promise.reject(new Error('Secrets are not needed'));
  const delivery = { ...open, callbackUrl: null, sendBy: Infinity } as OpenDelivery;
  const end = await attempt({ ...parts, secrets: { open: never, reopen: never } }, delivery, '{}');
  expect([end, sent]).toEqual([expect.objectContaining({ status: 'kept', errorMessage: null }), 0]);
});

it.each<[ErrorCode, boolean]>([
  ['UNAVAILABLE', false],
  ['TIMEOUT', false],
  ['NOT_FOUND', true],
])('has spent a try where the vault answers %s: %s', async (code, isSpent) => {
  const refuse = () => Promise.reject(new ApiError(code, 'no'));
  const delivery = { ...open, sendBy: Infinity } as OpenDelivery;
  const end = await attempt({ ...parts, secrets: { open: refuse, reopen: refuse } }, delivery, '{}');
  expect([end, sent]).toEqual([expect.objectContaining({ status: 'retrying', isSpent }), 0]);
});
