import { createHash } from 'node:crypto';
import {
  deleteIfThere,
  expandPath,
  type HandshakeReply,
  isSigned,
  type InputOf,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  oneSubscription,
  type Proof,
  ProviderError,
  readJson,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { PAGE } from '../paging.js';
import { requiredProject, workspace } from '../properties.js';

const WEBHOOKS = '/api/1.0/webhooks';
const MAX_WEBHOOKS = 10_000;

/** The properties of every trigger. */
export const place = { workspace, project: requiredProject };

type Place = InputOf<typeof place>;

interface Events<Input> {
  /** The events to receive: https://developers.asana.com/docs/webhooks-guide */
  filter(input: Input): JsonObject;
  /** Selects events. Default: all events that match the filter. */
  isWanted?(event: JsonValue, input: Input): boolean;
}

/** Returns the functions of a webhook for the events of one project: https://developers.asana.com/reference/createwebhook */
export function projectHook<Input extends Place>({ filter, isWanted = () => true }: Events<Input>) {
  return {
    ...oneSubscription<Input>({
      list: webhooksOf,
      create: async ({ http, input, webhookUrl }) => {
        const data = { resource: input.project, target: webhookUrl, filters: [filter(input)] };
        const response = await http.json({ method: 'POST', path: WEBHOOKS, json: { data } });
        const [id, secret] = [textAt(response, 'data', 'gid'), textAt(response, 'X-Hook-Secret')];
        if (!id || !secret) throw new ProviderError('Asana returned a webhook without a gid or a secret');
        return { state: { id }, secret };
      },
      remove: ({ http }, id) => deleteIfThere(http, expandPath(`${WEBHOOKS}/{id}`, { id })),
    }),
    handshake,
    verify: ({ headers, body }: WebhookRequest, { secret }: Proof): boolean => {
      const signature = headers['x-hook-signature'];
      return isSigned({ algorithm: 'sha256', secret, content: [body], signature, encoding: 'hex' });
    },
    events: (request: WebhookRequest, input: Input): TriggerEvent[] => {
      const sent = readJson(request);
      if (!sent) throw new Error('the signed body from Asana is not JSON');
      // A request without events is a heartbeat.
      const wanted = listAt(sent, 'events').filter((event) => isWanted(event, input));
      return wanted.map(toEvent);
    },
  };
}

/** Lists the webhooks of the project, with the names that `oneSubscription` expects for id and URL. */
async function* webhooksOf({ http, input }: TriggerContext<Place>): AsyncGenerator<JsonValue> {
  const query = { workspace: input.workspace, resource: input.project, limit: PAGE };
  for await (const webhook of http.pages({ method: 'GET', path: WEBHOOKS, query }, MAX_WEBHOOKS)) {
    yield { id: member(webhook, 'gid') ?? null, url: member(webhook, 'target') ?? null };
  }
}

/**
 * Asana sends a secret to a new URL, and creates the webhook after the response contains the same secret. The handshake does not store that secret,
 * because anyone who knows the URL can send one. The registration contains the secret from Asana's response.
 */
function handshake({ headers }: WebhookRequest): HandshakeReply | undefined {
  const secret = headers['x-hook-secret'];
  return secret !== undefined && /^[\w-]{1,256}$/.test(secret) ? { headers: { 'x-hook-secret': secret } } : undefined;
}

/** Events have no id. Their content, which includes the time, is signed and does not change when Asana sends it again, so its hash is the id. */
function toEvent(event: JsonValue): TriggerEvent {
  const id = createHash('sha256').update(JSON.stringify(event)).digest('base64url');
  return { id, data: event as JsonObject };
}
