import { isSameText, type Proof, type WebhookRequest } from '@drawbridge/piece-kit';

/** Some providers sign nothing that a piece can verify: the URL that they get has the secret in its query. It is removed before a request is stored. */
const KEY = 'key';

/** Returns the webhook URL with the secret. */
export const withKey = (webhookUrl: string, secret: string): string => `${webhookUrl}?${KEY}=${secret}`;

/** Returns whether a request came to the URL with the secret. Compares in constant time. */
export const hasKey = ({ url }: WebhookRequest, { secret }: Proof): boolean =>
  secret !== '' && isSameText(new URL(url, 'https://webhook.example').searchParams.get(KEY) ?? '', secret);
