import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CERTIFICATE, type FakeProvider, fakeProvider, type RecordedRequest } from '@drawbridge/testkit';
import { rowsOf } from './database.js';
import { front } from './front.js';

export interface WebhookReceiver extends FakeProvider {
  /** Of the receiver as a policy names it: HTTPS, with a certificate that the product is told to take. */
  hook(path: string): string;
  /** What makes a product reach it. */
  env: Record<string, string>;
  /** What came there, in order. */
  at(path: string): RecordedRequest[];
}

/** A receiver of webhooks that misbehaves as it is told, on a free loopback port. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const [behind, tls] = await Promise.all([fakeProvider(), front(CERTIFICATE)]);
  tls.leadTo(behind.url);
  const file = join(mkdtempSync(join(tmpdir(), 'receiver-')), 'ca.pem');
  writeFileSync(file, CERTIFICATE.cert);
  return {
    ...behind,
    hook: (path) => tls.url + path,
    env: { NODE_EXTRA_CA_CERTS: file, EGRESS_ALLOW: '127.0.0.1' },
    at: (path) => behind.requests.filter(({ url }) => url === path),
    async stop() {
      tls.stop();
      await behind.stop();
    },
  };
}

/** As if the time had come for whatever waits to be tried again. */
export async function hurry(databaseUrl: string, service = 'approvals'): Promise<void> {
  const due = `UPDATE ${service}_jobs._private_jobs SET run_at = now() WHERE locked_at IS NULL AND attempts < max_attempts`;
  await rowsOf(databaseUrl, due);
  await rowsOf(databaseUrl, `SELECT pg_notify('jobs:insert', '{"count":1}')`);
}
