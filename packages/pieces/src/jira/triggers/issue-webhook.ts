import {
  type Http,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  ProviderError,
  readJson,
  type Registration,
  scalarAt,
  textAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { hasKey, withKey } from '../../keyed-webhook.js';
import { API } from '../issue.js';

const WEBHOOK = `${API}/webhook`;
/** Jira deletes a webhook after 30 days. */
const RENEW_MS = 25 * 24 * 60 * 60_000;
/** Maximum number of webhooks that are read, which is more than an app can have. */
const MAX_WEBHOOKS = 100;
/** The events of all triggers. */
const EVENTS = ['jira:issue_created', 'jira:issue_updated', 'comment_created'] as const;
/** Jira requires a filter. This filter matches all issues, because no such project exists. */
const ALL_ISSUES = 'project not in ("00000000-0000-4000-8000-000000000000")';

type Event = (typeof EVENTS)[number];

interface Input {
  project: string;
}

type Subscription = TriggerContext<Input> & { webhookUrl: string; secret: string };

/**
 * Returns the functions of a trigger for one event of a project. Jira signs requests with the secret of the OAuth app, which a trigger does not have,
 * so the URL contains a secret instead. An app can register only one URL, so all triggers share one webhook for all events and projects:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks/
 */
export function issueWebhook(event: Event, toEvent: (sent: JsonValue) => TriggerEvent | undefined) {
  return {
    sharesWebhook: true as const,
    enable,
    // Jira may have deleted the webhook, so it is created again if it does not exist.
    renew: enable,
    disable: async (context: Subscription): Promise<void> => {
      const ids = await idsOf(context);
      if (ids.length > 0) await change(context.http, 'DELETE', WEBHOOK, ids);
    },
    verify: hasKey,
    events: (request: WebhookRequest, { project }: Input): TriggerEvent[] => {
      const sent = readJson(request) ?? null;
      const name = textAt(sent, 'webhookEvent');
      const found = name === event ? toEvent(sent) : undefined;
      if (!name || (name === event && !found)) throw new Error('the body from Jira is not an event');
      return found && projectOf(sent) === project.toUpperCase() ? [found] : [];
    },
  };
}

/** Ensures that one webhook exists. Extends an existing webhook instead of replacing it, so that no event is lost. */
async function enable(context: Subscription): Promise<Registration> {
  const ids = await idsOf(context);
  if (ids.length > 0) await change(context.http, 'PUT', `${WEBHOOK}/refresh`, ids);
  else await create(context);
  return { state: {}, renewAt: new Date(Date.now() + RENEW_MS).toISOString() };
}

/** Returns the ids of the webhooks that have the URL of the triggers. */
async function idsOf({ http, webhookUrl, secret }: Subscription): Promise<number[]> {
  const url = withKey(webhookUrl, secret);
  const listed = listAt(
    await http.json({ method: 'GET', path: WEBHOOK, query: { maxResults: MAX_WEBHOOKS } }),
    'values',
  );
  return listed.filter((one) => textAt(one, 'url') === url).map((one) => Number(scalarAt(one, 'id')));
}

async function create({ http, webhookUrl, secret }: Subscription): Promise<void> {
  const json = { url: withKey(webhookUrl, secret), webhooks: [{ events: [...EVENTS], jqlFilter: ALL_ISSUES }] };
  const [result] = listAt(await http.json({ method: 'POST', path: WEBHOOK, json }), 'webhookRegistrationResult');
  if (scalarAt(result, 'createdWebhookId')) return;
  throw new ProviderError(textAt(listAt(result, 'errors')[0] ?? null) ?? 'Jira registered no webhook');
}

async function change(http: Http, method: 'PUT' | 'DELETE', path: string, webhookIds: number[]): Promise<void> {
  await http.request({ method, path, json: { webhookIds } });
}

/** Returns the project in the key of the issue, such as ENG for ENG-1. */
const projectOf = (sent: JsonValue): string | undefined => textAt(sent, 'issue', 'key')?.replace(/-[0-9]+$/, '');

/** Returns the user that caused an event. */
export const userOf = (sent: JsonValue): JsonObject => {
  const [accountId, displayName] = [textAt(sent, 'user', 'accountId'), textAt(sent, 'user', 'displayName')];
  return { accountId: accountId ?? null, displayName: displayName ?? null };
};

/** Returns the changes of an issue, with the previous and the new value of each. */
export const changesOf = (sent: JsonValue): JsonValue[] =>
  listAt(member(sent, 'changelog') ?? {}, 'items').map((item) => ({
    field: textAt(item, 'field') ?? null,
    from: textAt(item, 'fromString') ?? null,
    to: textAt(item, 'toString') ?? null,
  }));
