import { isSameText, type Proof, type WebhookRequest } from '@drawbridge/piece-kit';

interface Addressed {
  webhookUrl: string;
  secret: string;
}

/**
 * The query parameter that contains the secret of a webhook, for providers that do not sign requests in a way that a piece can verify. The secret is
 * removed before a request is stored.
 */
const KEY = 'key';

/** Returns the webhook URL with the secret. */
export const withKey = (webhookUrl: string, secret: string): string =>
  `${webhookUrl}?${KEY}=${encodeURIComponent(secret)}`;

/** Returns whether a request arrived at the URL with the secret. Compares in constant time. */
export const hasKey = ({ url }: WebhookRequest, { secret }: Proof): boolean =>
  secret !== '' && isSameText(new URL(url, 'https://webhook.example').searchParams.get(KEY) ?? '', secret);

/** Returns `enable` and `disable` of a webhook, changed to use the URL that contains the secret. */
export const keyed = <Enabled extends Addressed, Ended extends Addressed, Result>(hook: {
  enable(context: Enabled): Promise<Result>;
  disable(context: Ended): Promise<void>;
}) => ({
  enable: (context: Enabled) => hook.enable(addressed(context)),
  disable: (context: Ended) => hook.disable(addressed(context)),
});

const addressed = <Context extends Addressed>(context: Context): Context => ({
  ...context,
  webhookUrl: withKey(context.webhookUrl, context.secret),
});
