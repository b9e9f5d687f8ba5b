import {
  isRecent,
  isSigned,
  type JsonObject,
  member,
  type Proof,
  ProviderError,
  readBody,
  scalarAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { ACCOUNT } from '../account.js';

const WITHIN_SECONDS = 300;

/**
 * Checks the signature of a request, version 3:
 * https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests#validate-the-v3-request-signature
 */
function verify({ method, headers, body }: WebhookRequest, { secret, now, webhookUrl }: Proof): boolean {
  const time = headers['x-hubspot-request-timestamp'] ?? '';
  if (!isRecent(Math.floor(Number(time || NaN) / 1_000), now, WITHIN_SECONDS)) return false;
  const [content, signature] = [[method, webhookUrl, body, time], headers['x-hubspot-signature-v3']];
  return isSigned({ algorithm: 'sha256', secret, content, signature, encoding: 'base64' });
}

/** Returns the changes in a request, which may belong to several accounts. */
function changesIn(request: WebhookRequest): JsonObject[] {
  const sent = readBody(request);
  return Array.isArray(sent)
    ? (sent.filter((change) => scalarAt(change, 'portalId') !== undefined) as JsonObject[])
    : [];
}

function route(request: WebhookRequest): string[] {
  return [...new Set(changesIn(request).map(({ portalId }) => String(portalId)))];
}

/** Requests the account of the token from HubSpot, because callers can enter any data for a connection. */
async function subscribe<Input>({ http }: TriggerContext<Input>): Promise<string> {
  const portalId = scalarAt(await http.json({ method: 'GET', path: ACCOUNT }), 'portalId');
  if (!portalId) throw new ProviderError('HubSpot returned an account without an id');
  return portalId;
}

/** Receives the webhook events of the app: https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide */
export const inbound = { kind: 'app-webhook', verify, route, subscribe } as const;

/** A change has two names in subscriptions: that of its object, and a generic name with the id of the object. */
interface Wanted {
  names: readonly [own: string, generic: string];
  objectTypeId: string;
}

/** Returns the events of an account for this kind of change. */
export function changes(
  request: WebhookRequest,
  portalId: string | undefined,
  { names, objectTypeId }: Wanted,
): TriggerEvent[] {
  const [own, generic] = names;
  return changesIn(request).flatMap((data) => {
    const isKind =
      data['subscriptionType'] === own ||
      (data['subscriptionType'] === generic && data['objectTypeId'] === objectTypeId);
    const id = idOf(data);
    return isKind && id && String(data['portalId']) === portalId ? [{ id, data }] : [];
  });
}

/** HubSpot does not guarantee that `eventId` is unique. Repeated deliveries of a change have the same three values. */
function idOf(change: JsonObject): string | undefined {
  const parts = ['eventId', 'objectId', 'occurredAt'].map((key) => member(change, key));
  return parts.some((part) => part === undefined || part === null) ? undefined : parts.join(' ');
}
