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
  const reply = ({ method }: Recorded): Reply => {
    if (method === 'GET')
      return json({
        values: [
          { id: 7, url: 'https://other.example' },
          { id: 8, url: URL_WITH_KEY },
        ],
      });
    if (method === 'POST') return json({ webhookRegistrationResult: [{ createdWebhookId: 9 }] });
    return json({ expirationDate: 'x' });
  };
  const setting = { piece: jira, credential, reply };

  it('leaves one webhook of the project, renews it before it ends, and removes it', async () => {
    const made = await runTrigger(setting, input, (context) => trigger.enable({ ...context, ...hook }));
    expect(made.output).toEqual({ state: { id: '9' }, renewAt: expect.any(String) });
    expect(Date.parse(made.output.renewAt!) - Date.now()).toBeLessThan(30 * 86_400_000);
    const webhooks = [{ events: [event], jqlFilter: 'project = "ENG"' }];
    expect(made.asked).toEqual([
      'GET /rest/api/3/webhook?maxResults=100',
      'DELETE /rest/api/3/webhook {"webhookIds":[8]}',
      `POST /rest/api/3/webhook ${JSON.stringify({ url: URL_WITH_KEY, webhooks })}`,
    ]);
    const state = { id: '9' };
    const renewed = await runTrigger(setting, input, (context) => trigger.renew!({ ...context, ...hook, state }));
    expect(renewed.output).toEqual({ state, renewAt: expect.any(String) });
    const ended = await runTrigger(setting, input, (context) => trigger.disable({ ...context, ...hook, state }));
    expect([...renewed.asked, ...ended.asked]).toEqual([
      'PUT /rest/api/3/webhook/refresh {"webhookIds":[9]}',
      'DELETE /rest/api/3/webhook {"webhookIds":[9]}',
    ]);
    expect([...made.received, ...renewed.received, ...ended.received].flatMap(check)).toEqual([]);
  });

  it('reports why Jira registers no webhook', async () => {
    const refused = {
      ...setting,
      reply: () => json({ webhookRegistrationResult: [{ errors: ['Bad JQL'] }], values: [] }),
    };
    await expect(runTrigger(refused, input, (context) => trigger.enable({ ...context, ...hook }))).rejects.toThrow(
      'Bad JQL',
    );
  });

  it('reads an event whose URL has the secret', () => {
    const request = at(SECRET, { webhookEvent: event, ...sent });
    expect(trigger.verify(request, proof)).toBe(true);
    expect(trigger.events(request, input)).toEqual([{ id, data }]);
  });

  it('refuses a request without the secret, and throws for one that it cannot read', () => {
    expect(trigger.verify(at('b'.repeat(64), sent), proof)).toBe(false);
    expect(trigger.verify(inbound(sent), proof)).toBe(false);
    expect(() => trigger.events(at(SECRET, { webhookEvent: event }), input)).toThrow('is not an event');
    expect(() => trigger.events(at(SECRET, {}), input)).toThrow('is not an event');
  });
});
