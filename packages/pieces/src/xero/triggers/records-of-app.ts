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
 * Asks Xero which organizations the token can access, because the data of a connection can be typed by its user: otherwise it could name the
 * organization of someone else, and get the events of that one.
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
 * The functions of every trigger of the app: https://developer.xero.com/documentation/guides/webhooks/overview. Xero checks the URL by requests
 * without events, of which only the signed ones may be accepted.
 */
export const ofApp = { subscribe, route, verify };

/** Returns the `events` of a trigger for new records. An event names the record only. */
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
      // The time is in UTC, but does not say so.
      return [{ id, data: { id, url: textAt(event, 'resourceUrl') ?? null, at: at ? `${at}Z` : null } }];
    });
