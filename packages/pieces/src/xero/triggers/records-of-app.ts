import {
  isSigned,
  listAt,
  type Proof,
  ProviderError,
  readJson,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';

/**
 * Requests the organizations of the token from Xero, because users can enter any data for a connection. Otherwise a connection could contain the
 * organization of another customer, and receive its events.
 */
async function subscribe({ http, auth }: TriggerContext<unknown>): Promise<string> {
  const tenantId = auth && 'data' in auth ? textAt(auth.data ?? {}, 'tenantId') : undefined;
  if (!tenantId) throw new ProviderError('The connection has no organization of Xero. Connect the account again.');
  const tenants = listAt(await http.json({ method: 'GET', path: '/connections' }));
  if (!tenants.some((tenant) => textAt(tenant, 'tenantId') === tenantId))
    throw new ProviderError('The connection has no access to its organization of Xero. Connect the account again.');
  return tenantId;
}

const eventsIn = (request: WebhookRequest) => listAt(readJson(request) ?? {}, 'events');

const route = (request: WebhookRequest): string[] =>
  eventsIn(request).flatMap((event) => textAt(event, 'tenantId') ?? []);

const verify = ({ headers, body }: WebhookRequest, { secret }: Proof): boolean =>
  isSigned({
    algorithm: 'sha256',
    secret,
    content: [body],
    signature: headers['x-xero-signature'],
    encoding: 'base64',
  });

/**
 * The functions of every trigger of the app. Xero validates the URL with requests without events, of which only signed requests must be accepted:
 * https://developer.xero.com/documentation/guides/webhooks/overview
 */
export const ofApp = { subscribe, route, verify };

/** Returns the `events` of a trigger for new records. An event contains only the id of the record. */
export const created =
  (category: string) =>
  (request: WebhookRequest, _input: unknown, tenantId?: string): TriggerEvent[] =>
    eventsIn(request).flatMap((event) => {
      const [id, at] = [textAt(event, 'resourceId'), textAt(event, 'eventDateUtc')];
      const isOurs =
        textAt(event, 'tenantId') === tenantId &&
        textAt(event, 'eventCategory') === category &&
        textAt(event, 'eventType') === 'CREATE';
      if (!isOurs) return [];
      if (!id) throw new Error('an event from Xero has no id of its record');
      // The time is in UTC, although it has no time zone.
      return [{ id, data: { id, url: textAt(event, 'resourceUrl') ?? null, at: at ? `${at}Z` : null } }];
    });
