import { isRecent, isSigned, type Proof, type WebhookRequest } from '@drawbridge/piece-kit';

/** The header has the form `t=…,v1=…`, with one `v1` per secret during a rotation: https://docs.stripe.com/webhooks/signature */
export function verify({ headers, body }: WebhookRequest, { secret, now }: Proof): boolean {
  const pairs = (headers['stripe-signature'] ?? '').split(',').map((pair) => pair.trim().split('='));
  const time = pairs.find(([key]) => key === 't')?.[1];
  if (!isRecent(time, now, 300)) return false;

  const content = [`${time}.`, body];
  const signature = pairs.flatMap(([key, value]) => (key === 'v1' && value !== undefined ? [value] : []));
  return isSigned({ algorithm: 'sha256', secret, content, signature, encoding: 'hex' });
}
