import {
  deleteIfThere,
  expandPath,
  isRecent,
  isSigned,
  member,
  oneSubscription,
  type Proof,
  ProviderError,
  readJson,
  textAt,
  trigger,
  type TriggerEvent,
  type WebhookRequest,
} from '@drawbridge/piece-kit';
import { project } from '../properties.js';
import { TASK, toTask } from '../tasks.js';

interface Input {
  project: string;
}

/** Runs when a task of a project is changed: https://acme.example/docs/webhooks */
export const taskChanged = trigger({
  kind: 'webhook',
  displayName: 'Task changed',
  description: 'Runs when a task of a project is changed.',
  props: { project },
  sample: TASK,
  ...oneSubscription<Input>({
    list: ({ http }) => http.pages({ method: 'GET', path: '/webhooks' }, 500),
    create: async ({ http, input, webhookUrl, secret }) => {
      const json = { url: webhookUrl, secret, project: input.project, events: ['task.changed'] };
      const id = textAt(await http.json({ method: 'POST', path: '/webhooks', json }), 'id');
      if (!id) throw new ProviderError('Acme returned a webhook without an id');
      return { state: { id } };
    },
    remove: ({ http }, id) => deleteIfThere(http, expandPath('/webhooks/{id}', { id })),
  }),
  verify,
  events: (request: WebhookRequest): TriggerEvent[] => {
    const sent = readJson(request);
    const id = textAt(sent, 'id');
    if (!id) throw new Error('the event has no id');
    return textAt(sent, 'type') === 'task.changed' ? [{ id, data: toTask(member(sent, 'task') ?? {}) }] : [];
  },
});

/** Acme signs the time and the body as `<time>.<body>`. A request that is older than five minutes may be a replay. */
function verify({ headers, body }: WebhookRequest, { secret, now }: Proof): boolean {
  const { 'acme-signature': signature, 'acme-time': time = '' } = headers;
  const content = [`${time}.`, body];
  return isSigned({ algorithm: 'sha256', secret, content, signature, encoding: 'hex' }) && isRecent(time, now, 300);
}
