import {
  isRecent,
  isSigned,
  ProviderError,
  readBody,
  textAt,
  type HandshakeReply,
  type JsonObject,
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

/** Slack signs also what tries out the address: nobody else is answered. */
function handshake(request: WebhookRequest, proof: Proof): HandshakeReply | undefined {
  const sent = readBody(request);
  if (textAt(sent, 'type') !== 'url_verification' || !verify(request, proof)) return undefined;
  return { headers: { 'content-type': 'text/plain' }, body: textAt(sent, 'challenge') ?? '' };
}

/** An app has one address for all workspaces: an event names its own. */
const route = (request: WebhookRequest): string | undefined => textAt(readBody(request), 'team_id');

/** A connection knows its workspace, but for a token that somebody typed. */
async function subscribe<Input>({ http, auth }: TriggerContext<Input>): Promise<string> {
  const known = auth && 'data' in auth ? textAt(auth.data, 'teamId') : undefined;
  const team = known ?? textAt(await http.json({ method: 'GET', path: '/api/auth.test' }), 'team_id');
  if (!team) throw new ProviderError('Slack does not say to which workspace the token belongs');
  return team;
}

export const inbound = { verify, handshake, route, subscribe };

/** The event of a request if it is of this type; a workspace tells of several. */
export function eventOf(request: WebhookRequest, type: string): TriggerEvent | undefined {
  const sent = readBody(request);
  const id = textAt(sent, 'event_id');
  if (!id || textAt(sent, 'event', 'type') !== type) return undefined;
  const { event, team_id, event_time } = sent as unknown as { event: JsonObject; team_id: string; event_time: number };
  return { id, data: { ...event, team_id, event_time } };
}
