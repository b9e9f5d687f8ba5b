import {
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  oneSubscription,
  ProviderError,
  readJson,
  type Registration,
  scalarAt,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { hasKey, keyed } from '../../keyed-webhook.js';
import { API } from '../issue.js';

const WEBHOOK = `${API}/webhook`;
/** Jira ends a webhook after 30 days. */
const RENEW_MS = 25 * 24 * 60 * 60_000;
const MAX_WEBHOOKS = 1_000;

interface Input {
  project: string;
}

type Enabled = TriggerContext<Input> & { webhookUrl: string; secret: string };

/**
 * Returns the functions of a trigger for one event of a project: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks/. Jira
 * signs with the secret of the OAuth app, which a trigger does not have.
 */
export function issueWebhook(event: string, toEvent: (sent: JsonValue) => TriggerEvent | undefined) {
  const hook = oneSubscription<Input>({
    list: ({ http }) =>
      http.pages({ method: 'GET', path: WEBHOOK, query: { maxResults: 100 } }, MAX_WEBHOOKS, {
        items: (body) => listAt(body, 'values'),
        next: () => undefined,
      }),
    create: ({ http, input, webhookUrl }) => create({ http, input, webhookUrl }, event),
    remove: ({ http }, id) => change(http, 'DELETE', WEBHOOK, id),
  });
  return {
    ...keyed(hook),
    async renew({ http, state }: Enabled & { state: JsonObject }): Promise<Registration> {
      await change(http, 'PUT', `${WEBHOOK}/refresh`, scalarAt(state, 'id') ?? '');
      return { state, renewAt: renewal() };
    },
    verify: hasKey,
    events: (request: WebhookRequest): TriggerEvent[] => {
      const sent = readJson(request);
      const found = sent && textAt(sent, 'webhookEvent') ? toEvent(sent) : undefined;
      if (!found) throw new Error('the body from Jira is not an event');
      return [found];
    },
  };
}

const renewal = (): string => new Date(Date.now() + RENEW_MS).toISOString();

async function create(
  { http, input: { project }, webhookUrl }: Pick<Enabled, 'http' | 'input' | 'webhookUrl'>,
  event: string,
): Promise<Registration> {
  const webhooks = [{ events: [event], jqlFilter: `project = "${project}"` }];
  const answer = await http.json({ method: 'POST', path: WEBHOOK, json: { url: webhookUrl, webhooks } });
  const [result] = listAt(answer, 'webhookRegistrationResult');
  const id = scalarAt(result, 'createdWebhookId');
  if (!id) throw new ProviderError(textAt(listAt(result, 'errors')[0] ?? null) ?? 'Jira registered no webhook');
  return { state: { id }, renewAt: renewal() };
}

async function change(http: Enabled['http'], method: 'PUT' | 'DELETE', path: string, id: string): Promise<void> {
  await http.request({ method, path, json: { webhookIds: [Number(id)] } });
}

/** Returns the user who caused an event. */
export const userOf = (sent: JsonValue): JsonObject => {
  const [accountId, displayName] = [textAt(sent, 'user', 'accountId'), textAt(sent, 'user', 'displayName')];
  return { accountId: accountId ?? null, displayName: displayName ?? null };
};

/** Returns the changes of an issue, each with the previous and the new value. */
export const changesOf = (sent: JsonValue): JsonValue[] =>
  listAt(member(sent, 'changelog') ?? {}, 'items').map((item) => ({
    field: textAt(item, 'field') ?? null,
    from: textAt(item, 'fromString') ?? null,
    to: textAt(item, 'toString') ?? null,
  }));
