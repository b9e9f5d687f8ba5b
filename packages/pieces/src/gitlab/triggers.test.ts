import { type JsonObject, type WebhookTrigger } from '@drawbridge/piece-kit';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { gitlab } from './index.js';

const SECRET = 'hook-secret';
const proof = proofOf(SECRET, 0);
const webhookUrl = 'https://gateway.example/api/v1/webhooks/gitlab/1';
const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer' } as const;
const triggers = Object.entries(gitlab.triggers ?? {}) as [string, WebhookTrigger][];
const FLAGS: Record<string, string[]> = {
  push: ['push_events'],
  merge_request: ['merge_requests_events'],
  // GitLab has a separate flag for confidential issues.
  issue: ['issues_events', 'confidential_issues_events'],
  pipeline: ['pipeline_events'],
};
const HOOKS = '/api/v4/projects/acme%2Fapp/hooks';
const input = { project: 'acme/app' };

const sent = (body: JsonObject, headers: Record<string, string> = {}) =>
  inbound(body, { 'x-gitlab-token': SECRET, 'idempotency-key': 'i1', 'x-gitlab-event-uuid': 'u1', ...headers });

describe.each(triggers)('%s', (name, trigger) => {
  const reply = ({ method }: Recorded): Reply => {
    if (method === 'POST') return json({ id: 9 }, 201);
    return json([
      { id: 7, url: 'https://other.example' },
      { id: 8, url: webhookUrl },
    ]);
  };

  it('leaves one webhook of the project for its event, and removes it', async () => {
    const setting = { piece: gitlab, credential, reply };
    const hook = { webhookUrl, secret: SECRET };
    const made = await runTrigger(setting, input, (context) => trigger.enable({ ...context, ...hook }));
    expect(made.output).toEqual({ state: { id: '9' } });
    const flags = {
      ...{ push_events: false, issues_events: false, confidential_issues_events: false },
      ...{ merge_requests_events: false, pipeline_events: false },
    };
    const wanted = Object.fromEntries(FLAGS[name]!.map((flag) => [flag, true]));
    const body = { url: webhookUrl, token: SECRET, enable_ssl_verification: true, ...flags, ...wanted };
    expect(made.asked).toEqual([
      `GET ${HOOKS}?per_page=100`,
      `DELETE ${HOOKS}/8`,
      `POST ${HOOKS} ${JSON.stringify(body)}`,
    ]);
    const ended = await runTrigger(setting, input, (context) =>
      trigger.disable({ ...context, ...hook, state: { id: '9' } }),
    );
    expect(ended.asked).toEqual([`DELETE ${HOOKS}/9`]);
  });

  it('accepts that a user has removed the webhook', async () => {
    const setting = { piece: gitlab, credential, reply: () => json({ message: '404 Not found' }, 404) };
    await runTrigger(setting, input, (context) =>
      trigger.disable({ ...context, webhookUrl, secret: SECRET, state: { id: '9' } }),
    );
  });

  it('reads its event, by an id that repeats have too', () => {
    const request = sent({ object_kind: name });
    expect(trigger.verify(request, proof)).toBe(true);
    expect(trigger.events(request, input)).toEqual([{ id: 'i1', data: { object_kind: name } }]);
    const { 'idempotency-key': _key, ...headers } = request.headers;
    expect(trigger.events({ ...request, headers }, input)[0]?.id).toBe('u1');
    expect(trigger.events(sent({ object_kind: 'note' }), input)).toEqual([]);
  });

  it('refuses a request without the token, and throws for one without an id', () => {
    expect(trigger.verify(sent({ object_kind: name }, { 'x-gitlab-token': 'other' }), proof)).toBe(false);
    expect(trigger.verify(inbound({ object_kind: name }), proof)).toBe(false);
    expect(trigger.verify(inbound({ object_kind: name }), proofOf('', 0))).toBe(false);
    expect(() => trigger.events(inbound({ object_kind: name }), input)).toThrow('no id');
  });
});

it('push selects a branch', () => {
  const [, push] = triggers.find(([name]) => name === 'push')!;
  const request = sent({ object_kind: 'push', ref: 'refs/heads/main' });
  expect(push.events(request, { ...input, branch: 'main' })).toHaveLength(1);
  expect(push.events(request, { ...input, branch: 'ma' })).toEqual([]);
});
