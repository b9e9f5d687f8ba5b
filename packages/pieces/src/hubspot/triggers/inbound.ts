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

/** Returns the changes of a request, which may be of several accounts. */
function changesIn(request: WebhookRequest): JsonObject[] {
  const sent = readBody(request);
  return Array.isArray(sent)
    ? (sent.filter((change) => scalarAt(change, 'portalId') !== undefined) as JsonObject[])
    : [];
}

function route(request: WebhookRequest): string[] {
  return [...new Set(changesIn(request).map(({ portalId }) => String(portalId)))];
}

/** Asks HubSpot for the account of the token, because the data of a connection can be typed by its user. */
async function subscribe<Input>({ http }: TriggerContext<Input>): Promise<string> {
  const portalId = scalarAt(await http.json({ method: 'GET', path: ACCOUNT }), 'portalId');
  if (!portalId) throw new ProviderError('HubSpot returned an account without an id');
  return portalId;
}

/** Receives the webhook events of the app: https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide */
export const inbound = { kind: 'app-webhook', verify, route, subscribe } as const;

/** A change, by both names that a subscription can have: of its object, or generic with the id of the object. */
interface Wanted {
  names: readonly [own: string, generic: string];
  objectTypeId: string;
}

/** Returns the events of an account for changes of this kind. */
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

/** HubSpot does not promise that `eventId` is unique. Repeated attempts of a change have the same three values. */
function idOf(change: JsonObject): string | undefined {
  const parts = ['eventId', 'objectId', 'occurredAt'].map((key) => member(change, key));
  return parts.some((part) => part === undefined || part === null) ? undefined : parts.join(' ');
}
