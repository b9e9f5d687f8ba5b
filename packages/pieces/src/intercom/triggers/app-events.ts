import {
  isSigned,
  type JsonObject,
  type JsonValue,
  member,
  type Proof,
  ProviderError,
  readJson,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';

/** Returns the functions of a trigger for topics of the app: https://developers.intercom.com/docs/webhooks */
export function appEvents(topics: readonly string[], toData: (item: JsonValue) => JsonObject) {
  return { subscribe, route, verify, handshake, events };

  function events(request: WebhookRequest): TriggerEvent[] {
    const sent = readJson(request) ?? {};
    const topic = textAt(sent, 'topic');
    const id = textAt(sent, 'id');
    // A ping, which Intercom sends as a test, may lack the id.
    if (topic && !topics.includes(topic)) return [];
    if (!topic || !id) throw new Error('the body from Intercom is not a notification');
    return [{ id, data: toData(member(sent, 'data', 'item') ?? {}) }];
  }
}

async function subscribe({ http }: TriggerContext<unknown>): Promise<string> {
  const workspace = textAt(await http.json({ method: 'GET', path: '/me' }), 'app', 'id_code');
  if (!workspace) throw new ProviderError('Intercom returned no workspace');
  return workspace;
}

const route = (request: WebhookRequest): string | undefined => textAt(readJson(request) ?? {}, 'app_id');

/**
 * Verifies the signature of the body with the secret of the app:
 * https://developers.intercom.com/docs/webhooks/webhook-notifications#signed-notifications
 */
const verify = ({ headers, body }: WebhookRequest, { secret }: Proof): boolean =>
  isSigned({
    algorithm: 'sha1',
    secret,
    content: [body],
    signature: headers['x-hub-signature'],
    encoding: 'hex',
    prefix: 'sha1=',
  });

/** Intercom validates the URL with a HEAD request. */
const handshake = ({ method }: WebhookRequest) => (method === 'HEAD' ? {} : undefined);
