import type { ServerResponse } from 'node:http';
import { createEgress, type OutgoingRequest, type Send } from '@drawbridge/egress';
import { Webhook } from 'standardwebhooks';
import { deliverWebhook, requireDelivered } from './deliver-webhook.js';
import { type Receiver, startReceiver } from './fixtures/receiver.js';
import { newWebhookSecret, signWebhook } from './sign-webhook.js';

const body = '{"event":"approval.requested"}';
const secret = newWebhookSecret();
const signature = signWebhook({ id: 'd_1', body, timestamp: Math.floor(Date.now() / 1_000), secrets: [secret] });
const headers = { 'X-Svc-Event': 'approval.requested', 'X-Svc-Attempt': '1' };

let receiver: Receiver;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});

async function deliverTo(answer: (res: ServerResponse) => void, more: Record<string, string> = {}) {
  receiver = await startReceiver(answer);
  open.push(receiver);
  const { url, send } = receiver;
  return deliverWebhook({ send, url, body, headers: { ...headers, ...more }, signature });
}

function pour(res: ServerResponse): void {
  while (!res.destroyed && res.write('x'.repeat(65_536)));
  if (!res.destroyed) res.once('drain', () => pour(res));
}

describe('deliverWebhook', () => {
  it('posts the body as it is, with the given headers and a signature that verifies', async () => {
    const verdict = await deliverTo((res) => res.end());
    const [got] = receiver.received;

    expect(verdict).toMatchObject({ result: 'delivered', httpStatus: 200 });
    expect(got?.body).toBe(body);
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'd_1',
      'x-svc-event': 'approval.requested',
      'x-svc-attempt': '1',
    });
    expect(() => new Webhook(secret).verify(body, got?.headers as Record<string, string>)).not.toThrow();
  });

  it('lets no given header take the place of the signature', async () => {
    await deliverTo((res) => res.end(), { 'Webhook-Signature': 'v1,forged', 'X-Svc-Signature': 't=1,v1=forged' });
    expect(JSON.stringify(receiver.received)).not.toContain('forged');
  });

  it('follows no redirect', async () => {
    const verdict = await deliverTo((res) => res.writeHead(307, { location: '/elsewhere' }).end());
    expect(verdict).toMatchObject({ result: 'failed', httpStatus: 307 });
    expect(receiver.received).toHaveLength(1);
  });

  it.each<[string, (res: ServerResponse) => void]>([
    ['is cut off', (res) => res.writeHead(200, { 'content-length': 9 }).write('half', () => res.destroy())],
    ['has no end', (res) => pour(res.writeHead(200))],
    ['is no gzip that it says it is', (res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('{}')],
  ])('goes by the status of an answer with a body that %s', async (_what, answer) => {
    expect(await deliverTo(answer)).toMatchObject({ result: 'delivered', httpStatus: 200 });
  });

  it('answers failed without a status when the connection is lost', async () => {
    const verdict = await deliverTo((res) => res.destroy());
    expect(verdict).toEqual({
      result: 'failed',
      httpStatus: null,
      errorMessage: expect.stringContaining('the connection was lost'),
      retryAfterMs: 0,
      tookMs: expect.any(Number),
    });
  });

  it('answers failed for an address that is refused', async () => {
    const egress = createEgress();
    open.push(egress);
    const url = 'http://169.254.169.254/latest';
    const verdict = await deliverWebhook({ send: egress.sendFor('acme'), url, body, headers, signature });

    expect(verdict).toMatchObject({
      result: 'failed',
      httpStatus: null,
      errorMessage: expect.stringMatching(/^169\./),
    });
  });

  it('gives the receiver 15 seconds', async () => {
    receiver = await startReceiver((res) => res.end());
    open.push(receiver);
    const requests: OutgoingRequest[] = [];
    const send: Send = (request) => {
      requests.push(request);
      return receiver.send(request);
    };
    await deliverWebhook({ send, url: receiver.url, body, headers, signature });

    expect(requests).toMatchObject([{ timeoutMs: 15_000 }]);
  });
});

describe('requireDelivered', () => {
  const failed = { httpStatus: 503, errorMessage: 'The receiver answered 503', retryAfterMs: 9_000 };

  it('returns after a delivery', () => {
    expect(() =>
      requireDelivered({ result: 'delivered', httpStatus: 200, errorMessage: null, retryAfterMs: 0 }),
    ).not.toThrow();
  });

  it.each([
    ['failed', false],
    ['gone', true],
  ] as const)('throws after %s; that it is final: %s', (result, isFinal) => {
    expect(() => requireDelivered({ ...failed, result })).toThrow(
      expect.objectContaining({ message: 'The receiver answered 503', retryAfterMs: 9_000, isFinal }),
    );
  });
});
