import {
  deleteIfThere,
  expandPath,
  isSigned,
  member,
  oneSubscription,
  readJson,
  type JsonObject,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';

const HOOKS = '/repos/{+repo}/hooks';
/** Maximum number of hooks that are read, which is more than a repository can have: GitHub allows 20 for each event. */
const MAX_HOOKS = 1_000;

/**
 * Returns the functions of a repository webhook for one event. `isWanted` selects payloads, because GitHub sends all actions of an event:
 * https://docs.github.com/rest/repos/webhooks
 */
export function repositoryHook<Input extends { repo: string }>(
  event: string,
  isWanted: (payload: JsonObject, input: Input) => boolean = () => true,
) {
  return {
    ...oneSubscription<Input>({
      list: ({ http, input }) =>
        http.pages({ method: 'GET', path: expandPath(HOOKS, input), query: { per_page: 100 } }, MAX_HOOKS),
      urlAt: ['config', 'url'],
      create: async ({ http, input, webhookUrl, secret }) => {
        const config = { url: webhookUrl, content_type: 'json', secret };
        const json = { name: 'web', active: true, events: [event], config };
        const hook = await http.json({ method: 'POST', path: expandPath(HOOKS, input), json });
        return { state: { id: member(hook, 'id') ?? null } };
      },
      remove: ({ http, input: { repo } }, id) => deleteIfThere(http, expandPath(`${HOOKS}/{id}`, { repo, id })),
    }),
    // GitHub sends a ping to a new URL and accepts any 2xx response.
    handshake: ({ headers }: WebhookRequest) => (headers['x-github-event'] === 'ping' ? {} : undefined),
    verify: ({ headers, body }: WebhookRequest, { secret }: { secret: string }): boolean => {
      const signature = headers['x-hub-signature-256'];
      return isSigned({ algorithm: 'sha256', secret, content: [body], signature, encoding: 'hex', prefix: 'sha256=' });
    },
    events: (request: WebhookRequest, input: Input): TriggerEvent[] => {
      const { 'x-github-event': name, 'x-github-delivery': id, 'x-hub-signature-256': signature } = request.headers;
      if (name !== event) return [];
      const data = readJson(request);
      if (!id) throw new Error('X-GitHub-Delivery is missing');
      if (!data)
        throw new Error('the body is not JSON. Set the content type of the webhook at GitHub to application/json');
      return isWanted(data, input) ? [{ id, data, signature }] : [];
    },
  };
}

interface Selection {
  repo: string;
  actions?: readonly string[];
}

/** Returns whether the action of a payload is selected. If no action is selected, returns whether it is the default action. */
export function isSelected(payload: JsonObject, { actions = [] }: Selection, usual: string): boolean {
  return (actions.length > 0 ? actions : [usual]).some((action) => action === payload['action']);
}

/** Selects payloads by the property `actions`. */
export function selected(usual: string): (payload: JsonObject, input: Selection) => boolean {
  return (payload, input) => isSelected(payload, input, usual);
}
