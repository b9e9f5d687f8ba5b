import { type FakeProvider } from '@drawbridge/testkit';
import { type Api, apiOf } from '../../support/api.js';
import { decide, newKey, newPolicy, waiting } from '../../support/approvals.js';
import { type Drawbridge, drawbridge } from '../../support/drawbridge.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/expect.js';
import { expectWithinASecond } from '../../support/expect-within.js';
import { githubWorkspace } from '../../support/github.js';
import { provider } from '../../support/provider.js';
import { asGithub, githubSecretOf } from '../../support/trigger-vendors.js';
import { pushTrigger, repositoryHooks } from '../../support/triggers.js';

let product: Drawbridge;
let github: FakeProvider;

beforeAll(async () => {
  product = await drawbridge();
  github = await provider();
});
afterAll(() => github?.stop());
beforeEach(() => {
  github.reset();
  github.on('POST /repos/acme/app/issues', { status: 201, body: { number: 1 } });
});

/** Returns the API of the previous version and that of this one, with the same key. */
const versions = (key = product.key): [Api, Api] => {
  const [before, now] = product.baseUrls.map((url) => apiOf(url, key));
  return [before!, now!];
};

describe.each([
  ['the previous version', 'this one', ([before, now]: [Api, Api]) => ({ first: before, second: now })],
  ['this version', 'the previous one', ([before, now]: [Api, Api]) => ({ first: now, second: before })],
])('%s beside %s', (_first, _second, order) => {
  it('shares workspaces, connections and runs', async () => {
    const { first, second } = order(versions());
    const { createIssue, workspaceId } = await githubWorkspace(first);
    const run = await second.post('/api/v1/actions/execute', createIssue);
    expect(run).toMatchObject({ status: 200, body: { success: true } });
    expect(github.requests).toHaveLength(1);
    await eventually(async () => {
      const { executions } = (await first.get(`/api/v1/executions?workspaceId=${workspaceId}`)).body;
      expect(executions).toMatchObject([{ status: 'success' }]);
    });
  });

  it('runs a call once that one version holds and the other approves', async () => {
    const { first, second } = order(versions());
    const { createIssue, workspaceId } = await githubWorkspace(first);
    await newPolicy(first, { workspaceId });
    const call = { ...createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(first, call);
    expect((await decide(second, id, 'approve')).status).toBe(200);
    const answers = await Promise.all([first, second].map((api) => api.post('/api/v1/actions/execute', call)));
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(github.requests).toHaveLength(1);
  });

  it('refuses a key within a second after the other revoked it', async () => {
    const { first } = order(versions());
    const { apiKey, plainKey } = (await first.post('/api/v1/api-keys', { name: 'K', permissions: { scope: 'org' } }))
      .body;
    const { second: other } = order(versions(plainKey));
    expect((await other.get('/api/v1/workspaces')).status).toBe(200);
    expect((await first.delete(`/api/v1/api-keys/${apiKey.id}`)).status).toBe(200);
    await expectWithinASecond(async () => expectError(await other.get('/api/v1/workspaces'), 401, 'UNAUTHENTICATED'));
  });

  it('delivers an event once that the other received', async () => {
    const { first, second } = order(versions());
    const own = await githubWorkspace(first);
    repositoryHooks(github);
    const callbackUrl = `http://127.0.0.1:${product.providerPort}/events`;
    const { body } = await first.post('/api/v1/triggers/enable', pushTrigger(own, { callbackUrl }));
    const { pathname } = new URL(body.triggerSource.webhookUrl);
    const text = JSON.stringify({ ref: 'refs/heads/main', commits: [] });
    const signed = await asGithub(text, githubSecretOf(github, pathname), 'delivery-1');
    const headers = { 'content-type': 'application/json', ...signed };
    for (const api of [second, first, second])
      expect((await api.send('POST', pathname, { text, headers })).status).toBe(200);
    await eventually(async () => {
      const { deliveries } = (await second.get(`/api/v1/triggers/${body.triggerSource.id}/deliveries`)).body;
      expect(deliveries).toMatchObject([{ status: 'success', attempt: 1 }]);
    });
    expect(github.requests.filter(({ url }) => url === '/events')).toHaveLength(1);
  });

  it('keeps the events of a trigger without a callback, whichever version receives them', async () => {
    const [before, now] = versions();
    const { first, second } = order([before, now]);
    const own = await githubWorkspace(first);
    repositoryHooks(github);
    // The gateway calls the processes of both versions in turn. A process of the previous version rejects a null callbackUrl as an invalid URL.
    const { body } = await eventually(async () => {
      const answer = await now.post('/api/v1/triggers/enable', pushTrigger(own, { callbackUrl: null }));
      expect(answer.status).toBe(201);
      return answer;
    });
    const { pathname } = new URL(body.triggerSource.webhookUrl);
    for (const [index, api] of [first, second].entries()) {
      const text = JSON.stringify({ ref: `refs/heads/${index}`, commits: [] });
      const signed = await asGithub(text, githubSecretOf(github, pathname), `kept-${index}`);
      const headers = { 'content-type': 'application/json', ...signed };
      expect((await api.send('POST', pathname, { text, headers })).status).toBe(200);
    }
    const path = `/api/v1/triggers/${body.triggerSource.id}/deliveries`;
    const deliveries = await eventually(async () => {
      // A process of the previous version returns the stored status `kept`, which is new in this version. The gateway calls the processes in turn, so
      // one of two requests at a time gets the answer of this version; requests one after the other could all call the previous version.
      const { body } = await Promise.any([now.get(path), now.get(path)]);
      // A process of the previous version tries to send the event, and schedules a retry, until a process of this version keeps it.
      const waiting = { status: expect.stringMatching(/^(pending|retrying)$/) };
      expect(body.deliveries).toMatchObject([waiting, waiting]);
      return body.deliveries;
    });
    const bodies = await Promise.all(
      deliveries.map(({ id }: { id: string }) => Promise.any([now.get(`${path}/${id}`), now.get(`${path}/${id}`)])),
    );
    // Two processes store the events, so their order can differ from the order of the requests.
    const refs = bodies.map(({ body }) => JSON.parse(body.body).payload.ref);
    expect(refs.sort()).toEqual(['refs/heads/0', 'refs/heads/1']);
  });

  it('deletes all of a workspace that the other deletes', async () => {
    const { first, second } = order(versions());
    const { workspaceId, connectionId } = await githubWorkspace(first);
    expect((await second.delete(`/api/v1/workspaces/${workspaceId}`)).status).toBe(200);
    expectError(await first.get(`/api/v1/workspaces/${workspaceId}`), 404, 'NOT_FOUND');
    await eventually(async () => {
      const { connections } = (await first.get('/api/v1/connections')).body;
      expect(connections.map(({ id }: { id: string }) => id)).not.toContain(connectionId);
    });
  });
});
