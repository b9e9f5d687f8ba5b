import { readFileSync } from 'node:fs';
import { sign, verify } from '@octokit/webhooks-methods';
import { openPiece, type JsonObject, type WebhookRequest, type WebhookTrigger } from '@drawbridge/piece-kit';
import { checkRequest } from '../../../testing/check-request.js';
import { json } from '../../../testing/run-piece.js';
import { startThirdParty, type Recorded, type Reply } from '../../../testing/third-party.js';
import { github } from '../index.js';
import { issueComment } from './issue-comment.js';
import { pullRequest } from './pull-request.js';
import { push } from './push.js';
import { release } from './release.js';
import { reviewRequested } from './review-requested.js';
import { star } from './star.js';
import { workflowRun } from './workflow-run.js';

const description = JSON.parse(readFileSync(new URL('../github.fixture.json', import.meta.url), 'utf8'));
const input = { repo: 'octocat/hello-world' };
const webhookUrl = 'https://drawbridge.example/api/v1/webhooks/github/one';
const secret = 'whsec-canary';
const [auth, signal] = [undefined, undefined];

describe.each([
  ['push', push],
  ['pull_request', pullRequest],
  ['issue_comment', issueComment],
  ['release', release],
  ['workflow_run', workflowRun],
  ['pull_request', reviewRequested],
  ['star', star],
] as const)('%s', (event, trigger) => {
  describe('a webhook request', () => {
    const payload = JSON.stringify({ ...trigger.sample, note: 'hä' });
    const delivered = async (changes: Record<string, string> = {}, body = payload): Promise<WebhookRequest> => {
      const signed = { 'x-hub-signature-256': await sign(secret, payload) };
      const headers = { 'content-type': 'application/json', 'x-github-event': event, 'x-github-delivery': 'guid-1' };
      return {
        method: 'POST',
        url: webhookUrl,
        headers: { ...headers, ...signed, ...changes },
        body: Buffer.from(body),
      };
    };
    const proof = { secret, now: 0, webhookUrl };

    it("is accepted with GitHub's signature", async () => {
      const request = await delivered();
      expect(await verify(secret, payload, request.headers['x-hub-signature-256']!)).toBe(true);
      expect(trigger.verify(request, proof)).toBe(true);
      expect(trigger.handshake?.(request, proof)).toBeUndefined();
      const signature = request.headers['x-hub-signature-256'];
      expect(trigger.events(request, {})).toEqual([
        { id: 'guid-1', data: { ...trigger.sample, note: 'hä' }, signature },
      ]);
    });

    it.each([
      ['another secret', { secret: 'other' }, {}, payload],
      ['another body', {}, {}, payload.replace('hä', 'he')],
      ['the old SHA-1', {}, { 'x-hub-signature-256': 'sha1=3dca279e731c97c38e3019a075dee9ebbd0a99f0' }, payload],
      ['a signature in capitals', {}, { 'x-hub-signature-256': 'SHA256=' + '0'.repeat(64) }, payload],
      ['no signature', {}, { 'x-hub-signature-256': '' }, payload],
    ])('is refused with %s', async (_, changed, headers, body) => {
      expect(trigger.verify(await delivered(headers, body), { ...proof, ...changed })).toBe(false);
    });

    it.each([
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, `payload=${encodeURIComponent(payload)}`],
      ['JSON that is cut short', {}, payload.slice(0, -1)],
      ['no X-GitHub-Delivery', { 'x-github-delivery': '' }, payload],
    ])('fails as unreadable with %s', async (_what, headers, body) => {
      const request = await delivered(headers, body);
      expect(() => trigger.events(request, {})).toThrow(/is not JSON|is missing/);
    });

    it('causes no event if it is a ping or an event that was not subscribed', async () => {
      const ping = await delivered({ 'x-github-event': 'ping' });
      expect(trigger.handshake?.(ping, proof)).toEqual({});
      expect(trigger.events(ping, {})).toEqual([]);
      expect(trigger.events(await delivered({ 'x-github-event': 'fork' }), {})).toEqual([]);
    });
  });

  describe('the webhook at GitHub', () => {
    const hook = (id: number, url = webhookUrl) => ({ id, config: { url } });
    const made = { id: 9, config: { url: webhookUrl } };

    it('is registered once after repeated enabling', async () => {
      const { received, context, close } = await open(({ method, url }) => {
        if (method === 'DELETE') return { status: 204, body: '' };
        if (method === 'POST') return json(made, 201);
        const isFirst = !url.includes('&page=2');
        const link = `<https://api.github.com/repositories/1/hooks?per_page=100&page=2>; rel="next"`;
        return isFirst ? json([hook(1, 'https://x.example'), hook(2)], 200, { link }) : json([hook(3)]);
      });
      const registered = await trigger.enable({ ...context, input, webhookUrl, secret });
      await close();
      expect(registered).toEqual({ state: { id: 9 } });
      expect(received.map(toLine)).toEqual([
        'GET /repos/octocat/hello-world/hooks?per_page=100',
        'GET /repositories/1/hooks?per_page=100&page=2',
        'DELETE /repos/octocat/hello-world/hooks/2',
        'DELETE /repos/octocat/hello-world/hooks/3',
        'POST /repos/octocat/hello-world/hooks',
      ]);
      const config = { url: webhookUrl, content_type: 'json', secret };
      const asked: unknown = JSON.parse(received.at(-1)!.body);
      expect(asked).toEqual({ name: 'web', active: true, events: [event], config });
      const others = received.filter(({ url }) => !url.startsWith('/repositories/'));
      expect(others.flatMap((request) => checkRequest(description, request))).toEqual([]);
    });

    it.each([204, 404])('is removed when the trigger is disabled, if GitHub responds with %i', async (status) => {
      const { received, context, close } = await open(() => ({ status, body: '' }));
      const registered = { ...context, input, webhookUrl, secret, state: { id: 9 } };
      await trigger.disable(registered).finally(close);
      expect(received.map(toLine)).toEqual(['DELETE /repos/octocat/hello-world/hooks/9']);
      expect(received.flatMap((request) => checkRequest(description, request))).toEqual([]);
    });

    it("fails with GitHub's message if GitHub refuses", async () => {
      const { context, close } = await open(() => json({ message: 'Must have admin rights' }, 403));
      const registered: { state: JsonObject } = { state: { id: 9 } };
      await expect(trigger.enable({ ...context, input, webhookUrl, secret })).rejects.toMatchObject({ status: 403 });
      await expect(trigger.disable({ ...context, input, webhookUrl, secret, ...registered })).rejects.toThrow(
        'Must have admin rights',
      );
      await close();
    });
  });
});

describe('a selection', () => {
  const isEvent = (trigger: WebhookTrigger, event: string, payload: JsonObject, input: JsonObject = {}): boolean => {
    const headers = { 'content-type': 'application/json', 'x-github-event': event, 'x-github-delivery': 'guid-1' };
    const body = Buffer.from(JSON.stringify({ ...trigger.sample, ...payload }));
    return trigger.events({ method: 'POST', url: webhookUrl, headers, body }, input).length === 1;
  };

  it.each<[string, WebhookTrigger, string, string]>([
    ['issue_comment', issueComment, 'created', 'deleted'],
    ['release', release, 'published', 'released'],
    ['workflow_run', workflowRun, 'completed', 'requested'],
    ['star', star, 'created', 'deleted'],
  ])('of %s has the usual action, and others on request', (event, trigger, usual, other) => {
    expect(isEvent(trigger, event, { action: usual })).toBe(true);
    expect(isEvent(trigger, event, { action: usual }, { actions: [] })).toBe(true);
    expect(isEvent(trigger, event, { action: other })).toBe(false);
    expect(isEvent(trigger, event, { action: other }, { actions: [other] })).toBe(true);
    expect(isEvent(trigger, event, { action: usual }, { actions: [other] })).toBe(false);
  });

  // The actions and results of @octokit/openapi-webhooks 12.1.0.
  it.each<[WebhookTrigger, string, string]>([
    [issueComment, 'actions', 'created deleted edited'],
    [release, 'actions', 'created deleted edited prereleased published released unpublished'],
    [workflowRun, 'actions', 'completed in_progress requested'],
    [star, 'actions', 'created deleted'],
    [
      workflowRun,
      'conclusion',
      'action_required cancelled failure neutral skipped stale startup_failure success timed_out',
    ],
  ])('has the values that GitHub sends (%#)', (trigger, property, values) => {
    const options = trigger.props[property]?.options ?? [];
    expect(options.map(({ value }) => value).sort()).toEqual(values.split(' '));
  });

  it.each<[JsonObject, boolean]>([
    [{ conclusion: 'failure', branch: 'main' }, true],
    [{ conclusion: 'success' }, false],
    [{ branch: 'next' }, false],
  ])('of runs by %j', (input, expected) => expect(isEvent(workflowRun, 'workflow_run', {}, input)).toBe(expected));

  it('of reviews is by user or team', () => {
    const of = (payload: JsonObject, input?: JsonObject) => isEvent(reviewRequested, 'pull_request', payload, input);
    expect(of({ action: 'opened' })).toBe(false);
    expect([of({}, { reviewer: 'hubot' }), of({}, { reviewer: 'octocat' })]).toEqual([true, false]);
    expect(of({ requested_team: { slug: 'core' } }, { reviewer: 'core' })).toBe(true);
  });
});

async function open(reply: (request: Recorded) => Reply) {
  const { received, send, close } = await startThirdParty(reply);
  return { received, close, context: { http: openPiece(github, { send }), auth, signal } };
}

const toLine = ({ method, url }: Recorded): string => `${method} ${url}`;
