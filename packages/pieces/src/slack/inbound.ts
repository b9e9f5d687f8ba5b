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

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function verify({ headers, body }: WebhookRequest, { secret, now }: Proof): boolean {
  const time = headers['x-slack-request-timestamp'];
  const content = [`v0:${time}:`, body];
  const signature = headers['x-slack-signature'];
  return (
    isRecent(time, now, 300) &&
    isSigned({ algorithm: 'sha256', secret, content, signature, encoding: 'hex', prefix: 'v0=' })
  );
}

/** Slack signs also what tries out the address: nobody else is answered, and what nobody signed is not even read. */
function handshake(request: WebhookRequest, proof: Proof): HandshakeReply | undefined {
  if (!verify(request, proof)) return undefined;
  const sent = readJson(request);
  if (textAt(sent, 'type') !== 'url_verification') return undefined;
  return { headers: { 'content-type': 'text/plain' }, body: textAt(sent, 'challenge') ?? '' };
}

/**
 * An app has one address for all workspaces. An event names an installation that may see it, by its workspace and its bot's user:
 * https://docs.slack.dev/apis/events-api/#authorizations.
 */
function route(request: WebhookRequest): string | undefined {
  const [installation] = listAt(readJson(request), 'authorizations');
  return keyOf(installation);
}

/**
 * What a connection says of itself anybody may have typed: Slack says whose token it is. That of another app in the same workspace is another
 * user's, and so is that of a person who sees less than the bot: no event names them.
 */
async function subscribe<Input>({ http }: TriggerContext<Input>): Promise<string> {
  const key = keyOf(await http.json({ method: 'GET', path: '/api/auth.test' }));
  if (!key) throw new ProviderError('Slack does not say whose token it is');
  return key;
}

function keyOf(installation: JsonValue | undefined): string | undefined {
  const [team, user] = [textAt(installation, 'team_id'), textAt(installation, 'user_id')];
  return team && user ? `${team} ${user}` : undefined;
}

export const inbound = { verify, handshake, route, subscribe };

/** The event of a request if it is of this type; a workspace tells of several. */
export function eventOf(request: WebhookRequest, type: string): TriggerEvent | undefined {
  const sent = readJson(request);
  const id = textAt(sent, 'event_id');
  if (!id || textAt(sent, 'event', 'type') !== type) return undefined;
  const { event, team_id, event_time } = sent as unknown as { event: JsonObject; team_id: string; event_time: number };
  return { id, data: { ...event, team_id, event_time } };
}
