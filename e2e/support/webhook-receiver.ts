import { createHmac, timingSafeEqual } from 'node:crypto';
import { CERTIFICATE, type FakeProvider, type RecordedRequest } from '@drawbridge/testkit';
import { rowsOf } from './database.js';
import { type Fakes } from './fakes.js';
import { front } from './front.js';
import { fakeAt, onceFree } from './provider.js';

export interface WebhookReceiver extends FakeProvider {
  /** Returns the receiver's HTTPS URL. */
  hook(path: string): string;
  /** Returns the requests to a path, in order. */
  at(path: string): RecordedRequest[];
}

/** Starts the webhook receiver that a product with these fakes can reach and trusts. It misbehaves if configured. */
export async function webhookReceiver({ receiver, hooks }: Fakes['ports']): Promise<WebhookReceiver> {
  const behind = await fakeAt(receiver);
  const tls = await onceFree(() => front(CERTIFICATE, hooks));
  tls.leadTo(behind.url);
  return {
    ...behind,
    hook: (path) => tls.url + path,
    at: (path) => behind.requests.filter(({ url }) => url === path),
    async stop() {
      tls.stop();
      await behind.stop();
    },
  };
}

/** Headers of a receiver that refuses a webhook: the next attempt starts at `hurry`, and not after 5 s, for which a busy machine may be too slow. */
export const LATER = { 'retry-after': '3600' };

/** Makes all waiting retries due immediately. */
export async function hurry(databaseUrl: string, service = 'approvals'): Promise<void> {
  if (service === 'triggers') {
    await rowsOf(
      databaseUrl,
      "UPDATE triggers.deliveries SET due_at = now() WHERE status = 'retrying' AND due_at > now()",
    );
  }
  const due = `UPDATE ${service}_queue.jobs SET due_at = now(), is_ready = true WHERE lease IS NULL AND NOT is_dead`;
  await rowsOf(databaseUrl, due);
  await rowsOf(databaseUrl, `SELECT pg_notify('${service}_queue', '')`);
}

/** Adds `many` deliveries of one request that were never attempted. */
export async function pile(databaseUrl: string, approvalId: string, many: number): Promise<void> {
  const waiting = `INSERT INTO approvals.webhook_deliveries
      (id, org_id, workspace_id, request_id, event_type, callback_url, occurred_at)
    SELECT gen_random_uuid(), org_id, workspace_id, id, 'approval.requested', 'https://webhook.invalid/', now()
    FROM approvals.approval_requests, generate_series(1, $2::int) WHERE id = $1`;
  await rowsOf(databaseUrl, waiting, [approvalId.slice(4), many]);
}

/** Verifies the signature according to the contract only. The timestamp may be at most 5 minutes old. */
export function isSigned({ headers, text }: RecordedRequest, secret: string): boolean {
  const [, t = '', rest = ''] = /^t=(\d+),(.*)$/.exec(headers['x-svc-signature'] ?? '') ?? [];
  const wanted = createHmac('sha256', secret).update(`${t}.${text}`).digest();
  const given = rest.split(',').map((part) => Buffer.from(part.replace(/^v1=/, ''), 'hex'));
  const isFresh = Math.abs(Date.now() / 1_000 - Number(t)) < 300 && headers['x-svc-timestamp'] === t;
  return isFresh && given.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
}
