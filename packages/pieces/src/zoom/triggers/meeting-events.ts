import { createHmac } from 'node:crypto';
import {
  type HandshakeReply,
  isRecent,
  isSigned,
  type JsonValue,
  member,
  type Proof,
  ProviderError,
  readJson,
  scalarAt,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';

const WITHIN_SECONDS = 300;
/** It is safe to sign a token of this form with the app's secret. A string with colons could be the content of a forged event. */
const PLAIN_TOKEN = /^[A-Za-z0-9_-]{1,100}$/;

/** Returns the functions of a trigger for one event of the app: https://developers.zoom.us/docs/api/webhooks/ */
export function meetingEvents(event: string, idOf: (object: JsonValue) => string | undefined = () => '') {
  return { subscribe, route, verify, handshake, events };

  function events(request: WebhookRequest): TriggerEvent[] {
    const sent = readJson(request);
    if (!sent) throw new Error('the body from Zoom is not JSON');
    if (textAt(sent, 'event') !== event) return [];
    const object = member(sent, 'payload', 'object') ?? {};
    const [uuid, at, id] = [textAt(object, 'uuid'), scalarAt(sent, 'event_ts'), idOf(object)];
    if (!uuid || !at || id === undefined) throw new Error('the event from Zoom has no meeting or no time');
    return [{ id: [event, uuid, at, id].filter(Boolean).join(' '), data: { event, event_ts: Number(at), object } }];
  }
}

/** An account has many users, and each connection receives only the meetings of its user. */
async function subscribe({ http }: TriggerContext<unknown>): Promise<string> {
  const me = await http.json({ method: 'GET', path: '/v2/users/me' });
  const [account, user] = [textAt(me, 'account_id'), textAt(me, 'id')];
  if (!account || !user) throw new ProviderError('Zoom returned no account of the user');
  return `${account} ${user}`;
}

function route(request: WebhookRequest): string | undefined {
  const payload = member(readJson(request) ?? {}, 'payload');
  const [account, host] = [textAt(payload, 'account_id'), textAt(payload, 'object', 'host_id')];
  return account && host ? `${account} ${host}` : undefined;
}

/** Checks the signature and the age of a request: https://developers.zoom.us/docs/api/webhooks/#verify-webhook-events */
function verify({ headers, body }: WebhookRequest, { secret, now }: Proof): boolean {
  const time = headers['x-zm-request-timestamp'] ?? '';
  const signed = {
    algorithm: 'sha256',
    secret,
    content: [`v0:${time}:`, body],
    encoding: 'hex',
    prefix: 'v0=',
  } as const;
  return isRecent(time, now, WITHIN_SECONDS) && isSigned({ ...signed, signature: headers['x-zm-signature'] });
}

/** Responds to a request with which Zoom validates the URL: https://developers.zoom.us/docs/api/webhooks/#validate-your-webhook-endpoint */
function handshake(request: WebhookRequest, { secret }: Proof): HandshakeReply | undefined {
  const sent = readJson(request) ?? {};
  const plainToken = textAt(sent, 'payload', 'plainToken') ?? '';
  if (textAt(sent, 'event') !== 'endpoint.url_validation' || !PLAIN_TOKEN.test(plainToken) || secret === '')
    return undefined;
  const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ plainToken, encryptedToken }) };
}

/** An example of an event. */
export const sample = (event: string, object: { [key: string]: JsonValue } = {}) => ({
  event,
  event_ts: 1769850000000,
  object: {
    ...{ id: '85746065432', uuid: '4444AAAiAAAAAiAiAiiAii==', host_id: 'x1yCzABCDEfg23HiJKl4mN', topic: 'Weekly' },
    ...{ type: 2, start_time: '2026-01-31T09:00:00Z', duration: 60, timezone: 'Europe/Berlin' },
    ...object,
  },
});
