import { type JsonObject, type JsonValue, type WebhookTrigger } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { jira } from './index.js';

const check = by(readDescription('jira'));
const SECRET = 'a'.repeat(64);
const proof = proofOf(SECRET, 0);
const hook = { webhookUrl: 'https://gateway.example/api/v1/webhooks/jira/1', secret: SECRET };
const URL_WITH_KEY = `${hook.webhookUrl}?key=${SECRET}`;
const credential = { type: 'CUSTOM_AUTH', props: { site: 'acme', email: 'a', apiToken: 'canary' } } as const;
const triggers = Object.entries(jira.triggers ?? {}) as [string, WebhookTrigger][];
const at = (key: string, body: JsonValue) => ({ ...inbound(body), url: `/api/v1/webhooks/jira/1?key=${key}` });

const issue = { id: '10', key: 'ENG-1', fields: { summary: 'Broken' } };
const short = { id: '10', key: 'ENG-1', summary: 'Broken' };
const user = { accountId: 'u1', displayName: 'Ada' };
const base = { timestamp: 5, issue, user: { ...user, self: 'x' } };
const changelog = { id: '77', items: [{ field: 'status', fromString: 'To Do', toString: 'Done', fieldId: 'status' }] };
const comment = { id: '88', body: 'Hi', author: { displayName: 'Ada' }, created: 'c' };
const CASES: Record<string, [event: string, sent: JsonObject, id: string, data: JsonObject]> = {
  issue_created: ['jira:issue_created', base, '10', { issue: short, user }],
  issue_updated: [
    'jira:issue_updated',
    { ...base, changelog },
    '10 77',
    { issue: short, user, changes: [{ field: 'status', from: 'To Do', to: 'Done' }] },
  ],
  comment_created: [
    'comment_created',
    { ...base, comment },
    '88',
    { issue: short, comment: { id: '88', body: 'Hi', author: 'Ada', created: 'c' } },
  ],
};

describe.each(triggers)('%s', (name, trigger) => {
  const [event, sent, id, data] = CASES[name]!;
  const input = { project: 'ENG' };
  const other = { id: 7, url: 'https://other.example' };
  const replyWith =
    (...values: object[]) =>
    ({ method }: Recorded): Reply => {
      if (method === 'GET') return json({ values: [other, ...values] });
      if (method === 'POST') return json({ webhookRegistrationResult: [{ createdWebhookId: 9 }] });
      return json({ expirationDate: 'x' });
    };
  const none = { piece: jira, credential, reply: replyWith() };
  const setting = { ...none, reply: replyWith({ id: 8, url: URL_WITH_KEY }, { id: 9, url: URL_WITH_KEY }) };

  it('creates one webhook for the events of all triggers and projects, because an app has one URL', async () => {
    const { output, asked, received } = await runTrigger(none, input, (context) =>
      trigger.enable({ ...context, ...hook }),
    );
    expect(output).toEqual({ state: {}, renewAt: expect.any(String) });
    const days = (Date.parse(output.renewAt!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(20);
    expect(days).toBeLessThan(30);
    const events = ['jira:issue_created', 'jira:issue_updated', 'comment_created'];
    const jqlFilter = 'project not in ("00000000-0000-4000-8000-000000000000")';
    expect(asked).toEqual([
      'GET /rest/api/3/webhook?maxResults=100',
      `POST /rest/api/3/webhook ${JSON.stringify({ url: URL_WITH_KEY, webhooks: [{ events, jqlFilter }] })}`,
    ]);
    expect(received.flatMap(check)).toEqual([]);
    expect(trigger.sharesWebhook).toBe(true);
  });

  it('keeps a webhook that exists, renews it before it ends, and removes it', async () => {
    const made = await runTrigger(setting, input, (context) => trigger.enable({ ...context, ...hook }));
    const state = made.output.state;
    const renewed = await runTrigger(setting, input, (context) => trigger.renew!({ ...context, ...hook, state }));
    expect(renewed.output).toEqual({ state, renewAt: expect.any(String) });
    const ended = await runTrigger(setting, input, (context) => trigger.disable({ ...context, ...hook, state }));
    const listed = 'GET /rest/api/3/webhook?maxResults=100';
    const refreshed = 'PUT /rest/api/3/webhook/refresh {"webhookIds":[8,9]}';
    expect([...made.asked, ...renewed.asked, ...ended.asked]).toEqual([
      ...[listed, refreshed, listed, refreshed],
      ...[listed, 'DELETE /rest/api/3/webhook {"webhookIds":[8,9]}'],
    ]);
    expect([...made.received, ...renewed.received, ...ended.received].flatMap(check)).toEqual([]);
    const gone = await runTrigger(none, input, (context) => trigger.disable({ ...context, ...hook, state }));
    expect(gone.asked).toEqual([listed]);
  });

  it('reports why Jira registers no webhook', async () => {
    const refused = {
      ...none,
      reply: () => json({ webhookRegistrationResult: [{ errors: ['Bad JQL'] }], values: [] }),
    };
    await expect(runTrigger(refused, input, (context) => trigger.enable({ ...context, ...hook }))).rejects.toThrow(
      'Bad JQL',
    );
  });

  it('reads an event with the secret in its URL', () => {
    const request = at(SECRET, { webhookEvent: event, ...sent });
    expect(trigger.verify(request, proof)).toBe(true);
    expect(trigger.events(request, input)).toEqual([{ id, data }]);
    expect(trigger.events(request, { project: 'eng' })).toHaveLength(1);
  });

  it('skips the events of other triggers and projects', () => {
    const request = at(SECRET, { webhookEvent: event, ...sent });
    for (const project of ['EN', 'ENG2', 'OPS']) expect(trigger.events(request, { project })).toEqual([]);
    for (const [otherName, [otherEvent, otherSent]] of Object.entries(CASES)) {
      if (otherName === name) continue;
      expect(trigger.events(at(SECRET, { webhookEvent: otherEvent, ...otherSent }), input)).toEqual([]);
    }
  });

  it('refuses a request without the secret, and throws for one that it cannot read', () => {
    expect(trigger.verify(at('b'.repeat(64), sent), proof)).toBe(false);
    expect(trigger.verify(inbound(sent), proof)).toBe(false);
    expect(trigger.verify(at('', sent), proofOf('', 0))).toBe(false);
    expect(() => trigger.events(at(SECRET, { webhookEvent: event }), input)).toThrow('is not an event');
    expect(() => trigger.events(at(SECRET, {}), input)).toThrow('is not an event');
  });
});
