import {
  isRecent,
  isSigned,
  type JsonValue,
  listAt,
  type Proof,
  ProviderError,
  readBody,
  scalarAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { ACCOUNT } from '../records.js';

const WITHIN_SECONDS = 300;

/** Returns the functions of a trigger of the app: https://developers.hubspot.com/docs/guides/api/app-management/webhooks. */
export function appEvents(isWanted: (event: JsonValue) => boolean) {
  return { subscribe, route, verify, events };

  function events(request: WebhookRequest, _input: unknown, portal?: string): TriggerEvent[] {
    return eventsIn(request).flatMap((event) => {
      if (scalarAt(event, 'portalId') !== portal || !isWanted(event)) return [];
      // The eventId of HubSpot is not unique.
      const parts = ['subscriptionType', 'objectId', 'propertyName', 'occurredAt'].map((name) => scalarAt(event, name));
      const [, object, , at] = parts;
      if (!object || !at) throw new Error('an event from HubSpot has no record or no time');
      return [{ id: parts.filter(Boolean).join(' '), data: toData(event) }];
    });
  }
}

function toData(event: JsonValue) {
  const { objectId, propertyName, propertyValue, occurredAt, changeSource } = event as { [name: string]: JsonValue };
  return {
    ...{ objectId: String(objectId), occurredAt: new Date(Number(occurredAt)).toISOString() },
    ...(propertyName !== undefined && { propertyName, propertyValue: propertyValue ?? null }),
    ...(changeSource !== undefined && { changeSource }),
  };
}

function eventsIn(request: WebhookRequest): JsonValue[] {
  const body = readBody(request);
  return body instanceof Uint8Array ? [] : listAt(body);
}

async function subscribe({ http }: TriggerContext<unknown>): Promise<string> {
  const portal = scalarAt(await http.json({ method: 'GET', path: ACCOUNT }), 'portalId');
  if (!portal) throw new ProviderError('HubSpot returned no account');
  return portal;
}

const route = (request: WebhookRequest): string[] =>
  eventsIn(request).flatMap((event) => scalarAt(event, 'portalId') ?? []);

/** https://developers.hubspot.com/docs/guides/apps/authentication/validating-requests: method, URL, body and time are signed. */
function verify({ method, headers, body }: WebhookRequest, { secret, now, webhookUrl }: Proof): boolean {
  const time = headers['x-hubspot-request-timestamp'] ?? '';
  const content = [method, webhookUrl, body, time];
  const isNow = /^\d{13}$/.test(time) && isRecent(Math.floor(Number(time) / 1_000), now, WITHIN_SECONDS);
  const signature = headers['x-hubspot-signature-v3'];
  return isNow && isSigned({ algorithm: 'sha256', secret, content, signature, encoding: 'base64' });
}
