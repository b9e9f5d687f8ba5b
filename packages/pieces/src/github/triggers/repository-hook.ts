import {
  expandPath,
  isSigned,
  type JsonObject,
  member,
  readJson,
  removeWebhooksAt,
  type TriggerContext,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { deleteIfThere } from '../../delete-if-there.js';

type HookContext = TriggerContext<{ repo: string }>;
/** Far above GitHub's limit of 20 hooks per event in a repository. */
const MAX_HOOKS = 1_000;

/** The functions of a repository webhook for one event: https://docs.github.com/rest/repos/webhooks. */
export function repositoryHook(event: string) {
  return {
    enable: async (context: HookContext & { webhookUrl: string; secret: string }) => {
      const { http, input, webhookUrl, secret } = context;
      const path = expandPath('/repos/{+repo}/hooks', input);
      const listed = http.pages({ method: 'GET', path, query: { per_page: 100 } }, MAX_HOOKS);
      await removeWebhooksAt(webhookUrl, { listed, urlAt: ['config', 'url'], remove: (id) => remove(context, id) });
      const config = { url: webhookUrl, content_type: 'json', secret };
      const json = { name: 'web', active: true, events: [event], config };
      const hook = await http.json({ method: 'POST', path, json });
      return { state: { hookId: member(hook, 'id') ?? null } };
    },
    disable: (context: HookContext & { state: JsonObject }) => remove(context, context.state['hookId']),
    // GitHub sends a ping to a new URL and accepts any 2xx.
    handshake: ({ headers }: WebhookRequest) => (headers['x-github-event'] === 'ping' ? {} : undefined),
    verify: ({ headers, body }: WebhookRequest, { secret }: { secret: string }): boolean => {
      const signature = headers['x-hub-signature-256'];
      return isSigned({ algorithm: 'sha256', secret, content: [body], signature, encoding: 'hex', prefix: 'sha256=' });
    },
    events: (request: WebhookRequest): TriggerEvent[] => {
      const { 'x-github-event': name, 'x-github-delivery': id, 'x-hub-signature-256': signature } = request.headers;
      if (name !== event) return [];
      const data = readJson(request);
      if (!id) throw new Error('X-GitHub-Delivery is missing');
      if (!data)
        throw new Error('the body is not JSON. Set the content type of the webhook at GitHub to application/json');
      return [{ id, data, signature }];
    },
  };
}

function remove({ http, input: { repo } }: HookContext, id: unknown): Promise<void> {
  return deleteIfThere(http, expandPath('/repos/{+repo}/hooks/{id}', { repo, id }));
}
