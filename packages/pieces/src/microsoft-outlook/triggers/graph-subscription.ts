import {
  deleteIfThere,
  expandPath,
  isSameText,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  oneSubscription,
  ProviderError,
  readJson,
  type Registration,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { ifStatus } from '../../if-status.js';

const PATH = '/v1.0/subscriptions';
/** Microsoft allows 4,230 minutes: https://learn.microsoft.com/graph/outlook-change-notifications-overview */
const LIFETIME_MS = 4_200 * 60_000;
/** Maximum number of subscriptions that are read, which is more than a user has. */
const MAX_SUBSCRIPTIONS = 1_000;

interface Subscription<Input> {
  /** The watched resource, without the version of the API. */
  resource(input: Input): string;
  /** The kinds of changes, separated by commas. */
  changeType: string;
}

type Enable<Input> = TriggerContext<Input> & { webhookUrl: string; secret: string };

/** Returns the functions of a trigger by a subscription of Graph: https://learn.microsoft.com/graph/change-notifications-delivery-webhooks */
export function graphSubscription<Input>({ resource, changeType }: Subscription<Input>) {
  const create = async ({ http, input, webhookUrl, secret }: Enable<Input>): Promise<Registration> => {
    const watched = { changeType, resource: resource(input), notificationUrl: webhookUrl, clientState: secret };
    const json = { ...watched, expirationDateTime: expiry() };
    return toRegistration(await http.json({ method: 'POST', path: PATH, json }));
  };
  return {
    ...oneSubscription<Input>({
      list: ({ http }) => http.pages({ method: 'GET', path: PATH }, MAX_SUBSCRIPTIONS),
      urlAt: ['notificationUrl'],
      create,
      remove: ({ http }, id) => deleteIfThere(http, expandPath(`${PATH}/{id}`, { id })),
    }),
    /** If the subscription has expired, creates it again. */
    async renew({ state, ...context }: Enable<Input> & { state: JsonObject }): Promise<Registration> {
      const path = expandPath(`${PATH}/{id}`, { id: state['id'] });
      const request = { method: 'PATCH', path, json: { expirationDateTime: expiry() } };
      const renewed = await context.http.json(request).catch(ifStatus(404, undefined));
      return renewed === undefined ? create(context) : toRegistration(renewed);
    },
    handshake,
    verify,
    events: (request: WebhookRequest): TriggerEvent[] =>
      listAt(readJson(request), 'value').flatMap((notification) => toEvent(notification, changeType.split(','))),
  };
}

const expiry = (): string => new Date(Date.now() + LIFETIME_MS).toISOString();

/** The subscription is renewed after half of its lifetime, which leaves time to repeat a renewal that fails. */
function toRegistration(subscription: JsonValue): Registration {
  const [id, ends] = [textAt(subscription, 'id'), Date.parse(textAt(subscription, 'expirationDateTime') ?? '')];
  if (!id || Number.isNaN(ends))
    throw new ProviderError('Microsoft returned a subscription without an id or an expiry');
  return { state: { id }, renewAt: new Date((Date.now() + ends) / 2).toISOString() };
}

/** Graph validates a URL with a token, which the response must contain as plain text within 10 seconds. */
function handshake({ url }: WebhookRequest) {
  const token = new URLSearchParams(url.split('?')[1]).get('validationToken');
  return token ? { headers: { 'content-type': 'text/plain' }, body: token } : undefined;
}

/** Every notification in a request must contain the secret of the subscription. */
function verify(request: WebhookRequest, { secret }: { secret: string }): boolean {
  const states = listAt(readJson(request), 'value').map((notification) => textAt(notification, 'clientState') ?? '');
  return secret !== '' && states.length > 0 && states.every((state) => isSameText(state, secret));
}

/**
 * Returns the event for a notification, without the secret. A notification about the subscription itself has no resource data and is not an event.
 * The id of an update includes the version, because an item can be updated often: https://learn.microsoft.com/graph/api/resources/changenotification
 */
function toEvent(notification: JsonValue, wanted: readonly string[]): TriggerEvent[] {
  const [changeType, id] = [textAt(notification, 'changeType'), textAt(notification, 'resourceData', 'id')];
  if (!changeType || !id || !wanted.includes(changeType)) return [];
  const etag = changeType === 'updated' ? textAt(notification, 'resourceData', '@odata.etag') : undefined;
  const [resource, tenantId] = [member(notification, 'resource') ?? null, member(notification, 'tenantId') ?? null];
  return [{ id: [id, changeType, etag].filter(Boolean).join(' '), data: { id, changeType, resource, tenantId } }];
}
