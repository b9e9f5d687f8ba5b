import {
  isRecent,
  isSigned,
  listAt,
  ProviderError,
  readJson,
  textAt,
  type HandshakeReply,
  type JsonObject,
  type JsonValue,
  type Proof,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';

/** Checks the signature and the age of a request: https://docs.slack.dev/authentication/verifying-requests-from-slack */
function verify({ headers, body }: WebhookRequest, { secret, now }: Proof): boolean {
  const time = headers['x-slack-request-timestamp'];
  const content = [`v0:${time}:`, body];
  const signature = headers['x-slack-signature'];
  return (
    isRecent(time, now, 300) &&
    isSigned({ algorithm: 'sha256', secret, content, signature, encoding: 'hex', prefix: 'v0=' })
  );
}

/** Responds to Slack's validation of the URL, which is signed too. Unsigned requests are not parsed. */
function handshake(request: WebhookRequest, proof: Proof): HandshakeReply | undefined {
  if (!verify(request, proof)) return undefined;
  const sent = readJson(request);
  if (textAt(sent, 'type') !== 'url_verification') return undefined;
  return { headers: { 'content-type': 'text/plain' }, body: textAt(sent, 'challenge') ?? '' };
}

/**
 * Returns an installation that may see the event, by its workspace and its bot user. An app has one URL for all workspaces:
 * https://docs.slack.dev/apis/events-api/#authorizations.
 */
function route(request: WebhookRequest): string | undefined {
  const [installation] = listAt(readJson(request), 'authorizations');
  return keyOf(installation);
}

/**
 * Requests the owner of the token from Slack, because users can enter any data for a connection. A token of another app or of a person belongs to a
 * user that is never in events, so it receives no events.
 */
async function subscribe<Input>({ http }: TriggerContext<Input>): Promise<string> {
  const key = keyOf(await http.json({ method: 'GET', path: '/api/auth.test' }));
  if (!key) throw new ProviderError('Slack did not return the workspace and user of the token');
  return key;
}

function keyOf(installation: JsonValue | undefined): string | undefined {
  const [team, user] = [textAt(installation, 'team_id'), textAt(installation, 'user_id')];
  return team && user ? `${team} ${user}` : undefined;
}

export const inbound = { verify, handshake, route, subscribe };

/** Returns the event in a request if it has this type. A workspace sends several types. */
export function eventOf(request: WebhookRequest, type: string): TriggerEvent | undefined {
  const sent = readJson(request);
  const id = textAt(sent, 'event_id');
  if (!id || textAt(sent, 'event', 'type') !== type) return undefined;
  const { event, team_id, event_time } = sent as unknown as { event: JsonObject; team_id: string; event_time: number };
  return { id, data: { ...event, team_id, event_time } };
}
