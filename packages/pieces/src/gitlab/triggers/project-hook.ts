import {
  deleteIfThere,
  isSameText,
  type JsonObject,
  oneSubscription,
  type Proof,
  readJson,
  scalarAt,
  textAt,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { inProject } from '../records.js';

/** Maximum number of webhooks that are read. */
const MAX_HOOKS = 1_000;
/** The flags of all events of a webhook. Only `push_events` is enabled by default. */
const FLAGS = {
  ...{ push_events: false, issues_events: false, confidential_issues_events: false },
  ...{ merge_requests_events: false, pipeline_events: false },
};

interface Hooked {
  /** The flags of the event: https://docs.gitlab.com/api/project_webhooks/#add-a-webhook-to-a-project */
  flags: (keyof typeof FLAGS)[];
  /** The `object_kind` in requests for the event: https://docs.gitlab.com/user/project/integrations/webhook_events/ */
  kind: string;
}

/** Returns the functions of a project webhook for one event. */
export function projectHook<Input extends { project: string }>(
  { flags, kind }: Hooked,
  isWanted: (payload: JsonObject, input: Input) => boolean = () => true,
) {
  return {
    ...oneSubscription<Input>({
      list: ({ http, input: { project } }) =>
        http.pages({ method: 'GET', path: inProject(project, '/hooks'), query: { per_page: 100 } }, MAX_HOOKS),
      create: async ({ http, input: { project }, webhookUrl, secret }) => {
        const wanted = Object.fromEntries(flags.map((flag) => [flag, true]));
        const json = { url: webhookUrl, token: secret, enable_ssl_verification: true, ...FLAGS, ...wanted };
        const hook = await http.json({ method: 'POST', path: inProject(project, '/hooks'), json });
        return { state: { id: scalarAt(hook, 'id') ?? null } };
      },
      remove: ({ http, input: { project } }, id) => deleteIfThere(http, inProject(project, '/hooks/{id}', { id })),
    }),
    // GitLab sends the secret in a header: https://docs.gitlab.com/user/project/integrations/webhooks/#validate-requests-by-using-a-secret-token
    verify: ({ headers }: WebhookRequest, { secret }: Proof): boolean =>
      secret !== '' && isSameText(headers['x-gitlab-token'] ?? '', secret),
    events: (request: WebhookRequest, input: Input): TriggerEvent[] => {
      const data = readJson(request);
      // Only `idempotency-key` is the same when GitLab sends the event again, but older instances do not send it.
      const id = request.headers['idempotency-key'] ?? request.headers['x-gitlab-event-uuid'];
      if (!data || !id) throw new Error('the request from GitLab is no event: it has no JSON or no id');
      return textAt(data, 'object_kind') === kind && isWanted(data, input) ? [{ id, data }] : [];
    },
  };
}
