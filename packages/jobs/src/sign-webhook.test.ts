import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signWebhook } from './sign-webhook.js';

// The key is 32 bytes of 0x61.
const SECRET = 'whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=';
const MESSAGE = { id: 'msg_1', timestamp: 1_700_000_000, body: '{"text":"häuser"}' };

const now = () => Math.floor(Date.now() / 1_000);

describe('signWebhook', () => {
  it('signs as computed by hand with openssl', () => {
    // These commands compute the expected signatures:
    // printf '%s' 'msg_1.1700000000.{"text":"häuser"}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:6161… -binary | base64
    // printf '%s' '1700000000.{"text":"häuser"}' | openssl dgst -sha256 -hmac 'whsec_YWFh…'
    expect(signWebhook({ ...MESSAGE, secrets: [SECRET] })).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,LgreawqpyOPtsobpUB+w2bkQCcwCdLYFrk5u6An/Gus=',
      'x-svc-timestamp': '1700000000',
      'x-svc-signature': 't=1700000000,v1=1317d48c5e9347bef7607d0ded5929684877b8ed114d6ec3bb04f741038aba7c',
    });
  });

  it('is accepted by the library of Standard Webhooks, and not when a byte of the body differs', () => {
    const secret = newWebhookSecret();
    const headers = signWebhook({ ...MESSAGE, timestamp: now(), secrets: [secret] });

    expect(new Webhook(secret).verify(MESSAGE.body, headers)).toEqual({ text: 'häuser' });
    expect(() => new Webhook(secret).verify(`${MESSAGE.body} `, headers)).toThrow('No matching signature');
  });

  it('is accepted under the old and under the new secret while one is rotated, and under no other', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const headers = signWebhook({ ...MESSAGE, timestamp: now(), secrets });

    for (const secret of secrets) expect(() => new Webhook(secret).verify(MESSAGE.body, headers)).not.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(MESSAGE.body, headers)).toThrow('No matching signature');
    expect(headers['x-svc-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  });

  it('names the delivery but signs nothing without a secret', () => {
    expect(signWebhook({ ...MESSAGE, secrets: [] })).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
    });
  });

  it.each([
    ['empty', ''],
    ['without its prefix', SECRET.slice(6)],
    ['too short', 'whsec_YWFh'],
    ['not base64', `whsec_${'!'.repeat(44)}`],
  ])('refuses a secret that is %s, without repeating it', (_, secret) => {
    expect(() => signWebhook({ ...MESSAGE, secrets: [secret] })).toThrow(
      new Error('The webhook secret must be whsec_ followed by 32 bytes in base64'),
    );
  });
});

describe('newWebhookSecret', () => {
  it('is whsec_ and base64 of 32 bytes, another one each time', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    const lengths = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length);
    expect([new Set(secrets).size, new Set(lengths)]).toEqual([100, new Set([32])]);
  });
});

describe('the keys of secrets', () => {
  it('rejects a wrong secret each time', () => {
    for (const _ of [1, 2])
      expect(() => signWebhook({ ...MESSAGE, secrets: ['whsec_c2hvcnQ='] })).toThrow(
        'must be whsec_ followed by 32 bytes',
      );
  });

  it('keeps keys for at most a second', async () => {
    await sleep(1_100); // The keys of the other tests are forgotten.
    import.meta.jest.useFakeTimers();
    const sign = () => signWebhook({ ...MESSAGE, secrets: [newWebhookSecret()] });
    sign();
    import.meta.jest.advanceTimersByTime(999);
    sign();
    expect(import.meta.jest.getTimerCount()).toBe(1);
    import.meta.jest.advanceTimersByTime(1);
    expect(import.meta.jest.getTimerCount()).toBe(0);
    sign();
    expect(import.meta.jest.getTimerCount()).toBe(1);
    import.meta.jest.useRealTimers();
  });
});
