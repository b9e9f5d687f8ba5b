import { createHmac } from 'node:crypto';
import { type FakeProvider, type RecordedRequest } from '@drawbridge/testkit';
import { sign } from '@octokit/webhooks-methods';
import Stripe from 'stripe';
import { SLACK_SECRET } from './fakes.js';

/** Stripe chooses this secret when a webhook is registered. */
export const STRIPE_SECRET = 'whsec_chosen_by_stripe_0a1b2c3d4e5f';
/** The Slack installation to which the bot's token belongs. */
export const SLACK_INSTALLATION = { team_id: 'T0123456789', user_id: 'U0BOT' };

/** Configures the responses to requests that register, identify and delete webhooks. */
export function playVendors(vendors: FakeProvider): void {
  vendors.on('GET /repos/acme/app/hooks', { body: [] });
  vendors.on('POST /repos/acme/app/hooks', { status: 201, body: { id: 9 } });
  vendors.on('DELETE /repos/acme/app/hooks/9', { status: 204 });
  vendors.on('GET /v1/webhook_endpoints', { body: { object: 'list', data: [], has_more: false } });
  vendors.on('POST /v1/webhook_endpoints', { body: { id: 'we_1', secret: STRIPE_SECRET } });
  vendors.on('DELETE /v1/webhook_endpoints/we_1', { body: { id: 'we_1', deleted: true } });
  vendors.on('GET /api/auth.test', { body: { ok: true, ...SLACK_INSTALLATION } });
  vendors.on('POST /graphql', ({ body }) => ({ body: { data: linearAnswer(body.query) } }));
}

function linearAnswer(query: string): object {
  if (query.includes('webhookCreate')) return { webhookCreate: { success: true, webhook: { id: 'wh_1' } } };
  if (query.includes('webhookDelete')) return { webhookDelete: { success: true } };
  return { webhooks: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } };
}

/** Returns the signing secret that GitHub received. */
export function githubSecretOf(vendors: FakeProvider, hook: string): string {
  const isOurs = ({ method, body }: RecordedRequest): boolean =>
    method === 'POST' && !!body?.config?.url?.endsWith(hook);
  return vendors.requests.find(isOurs)!.body.config.secret;
}

/** Returns the signing secret that Linear received. */
export function linearSecretOf(vendors: FakeProvider, hook: string): string {
  const isOurs = ({ body }: RecordedRequest): boolean => !!body?.variables?.input?.url?.endsWith(hook);
  return vendors.requests.find(isOurs)!.body.variables.input.secret;
}

/** Returns the headers of a delivery, signed with the provider's own library. */
export async function asGithub(text: string, secret: string, delivery: string): Promise<Record<string, string>> {
  return {
    'x-github-event': 'push',
    'x-github-delivery': delivery,
    'x-hub-signature-256': await sign(secret, text),
  };
}

/** Returns the signature header of Stripe. `at` is in Unix seconds. */
export function asStripe(text: string, secret = STRIPE_SECRET, at = now()): Record<string, string> {
  const { webhooks } = new Stripe('sk_test_none');
  return { 'stripe-signature': webhooks.generateTestHeaderString({ payload: text, secret, timestamp: at }) };
}

/** Returns the signature headers of Slack. Slack's library can only verify; the tests of the piece check this signature with it. */
export function asSlack(text: string, secret = SLACK_SECRET, at = now()): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`v0:${at}:${text}`).digest('hex');
  return { 'x-slack-request-timestamp': `${at}`, 'x-slack-signature': `v0=${signature}` };
}

export function asLinear(text: string, secret: string, delivery: string): Record<string, string> {
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  return { 'linear-delivery': delivery, 'linear-signature': signature };
}

export const now = (): number => Math.floor(Date.now() / 1_000);
