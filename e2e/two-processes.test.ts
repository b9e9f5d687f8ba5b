// Shapes: none; in full: local
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@drawbridge/testkit';
import { agentServer, call as callTool } from './support/agents.js';
import { eventually } from './support/eventually.js';
import { isAlive, type Received, sendAnew, workersOf } from './support/process-group.js';
import { type HeldRuns, heldRuns } from './support/runs.js';

const PROCESSES = 2;
/** The processes that must serve requests. Before 22.12, Node.js has no SO_REUSEPORT, and one process may accept all waiting connections. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const EVERY = major > 22 || (major === 22 && minor >= 12) ? ['1', '2'] : ['[12]'];
/** Sufficient for each process to receive some requests. */
const MANY = 20;
const PUBLIC_LIMIT = 30;

let runs: HeldRuns;
let metricsUrl: string;

beforeAll(async () => {
  const METRICS_PORT = String(await freePort());
  metricsUrl = `http://127.0.0.1:${METRICS_PORT}/metrics`;
  const env = { WEB_CONCURRENCY: String(PROCESSES), PUBLIC_RATE_LIMIT: String(PUBLIC_LIMIT), METRICS_PORT };
  runs = await heldRuns({ env });
});
afterAll(() => runs?.stop());
afterEach(() => runs.provider.on('*', { status: 201, body: { number: 1 } }));

const group = (): number => runs.product.processes()['drawbridge']!;

const api = (path: string, key = runs.product.key, sent: { method?: string; body?: unknown } = {}): Promise<Received> =>
  sendAnew(`${runs.product.baseUrl}/api/v1${path}`, { ...sent, headers: { authorization: `Bearer ${key}` } });

const execute = (title: string, idempotencyKey?: string): Promise<Received> =>
  api('/actions/execute', runs.product.key, { method: 'POST', body: runs.bodyOf(title, idempotencyKey) });

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const statuses = (all: Received[]): number[] => all.map(({ status }) => status);

it('serves one port from all processes, and their metrics from one port', async () => {
  expect(workersOf(group())).toHaveLength(PROCESSES);
  expect(new Set(statuses(await times(MANY, () => api('/organization'))))).toEqual(new Set([200]));
  // Metrics are read at most every 5 s.
  await eventually(async () => {
    const { body } = await sendAnew(metricsUrl);
    for (const process of EVERY) {
      const count = new RegExp(
        `^drawbridge_http_request_duration_seconds_count\\{process="${process}",.*organization`,
        'm',
      );
      expect(body).toMatch(count);
    }
    const names = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  }, 15_000);
});

it('refuses a revoked key in every process within a second', async () => {
  const { body } = await api('/api-keys', runs.product.key, { method: 'POST', body: { name: 'two processes' } });
  expect(new Set(statuses(await times(MANY, () => api('/organization', body.plainKey))))).toEqual(new Set([200]));
  expect((await api(`/api-keys/${body.apiKey.id}`, runs.product.key, { method: 'DELETE' })).status).toBe(200);
  await sleep(1_000);
  // The look-ups of invalid keys from one address are limited, so the test makes only a few.
  expect(new Set(statuses(await times(8, () => api('/organization', body.plainKey))))).toEqual(new Set([401]));
});

it('counts the requests of an address over all processes', async () => {
  const anonymous = (): Promise<Received> => sendAnew(`${runs.product.baseUrl}/api/v1/organization`);
  const left = Number((await anonymous()).headers['x-ratelimit-remaining']);
  const answers = await times(left + 10, anonymous);
  expect(statuses(answers).filter((status) => status === 401)).toHaveLength(left);
  expect(statuses(answers).filter((status) => status === 429)).toHaveLength(10);
});

it('runs a call once if both processes receive it with one idempotency key', async () => {
  const release = runs.hold();
  const answers = times(MANY, () => execute('both', 'both-processes'));
  await runs.received('both');
  release();
  expect(new Set(statuses(await answers))).toEqual(new Set([200]));
  expect(new Set((await answers).map(({ body }) => body.executionId)).size).toBe(1);
  expect(runs.sentTimes('both')).toBe(1);
});

it('decides an approval in one process that another one created', async () => {
  const workspaceId = (runs.bodyOf('') as { workspaceId: string }).workspaceId;
  const made = await api('/approval-policies', runs.product.key, {
    method: 'POST',
    body: { name: 'Ask', workspaceId },
  });
  expect(made.status).toBe(201);
  const waiting = await times(6, (index) => execute(`asked ${index}`, `asked-${index}`));
  expect(new Set(statuses(waiting))).toEqual(new Set([202]));
  const decided = await Promise.all(
    waiting.map(({ body }) =>
      api(`/approvals/${body.approval.id}/approve`, runs.product.key, { method: 'POST', body: {} }),
    ),
  );
  expect(new Set(statuses(decided))).toEqual(new Set([200]));
  const ran = await times(6, (index) => execute(`asked ${index}`, `asked-${index}`));
  expect(statuses(ran)).toEqual(waiting.map(() => 200));
  const removed = await api(`/approval-policies/${made.body.policy.id}`, runs.product.key, { method: 'DELETE' });
  expect(removed.status).toBe(200);
});

it('uses a configured integration and a partial in every process at once', async () => {
  const { workspaceId } = runs.bodyOf('') as { workspaceId: string };
  const hash = (input: object, more: object = {}): Promise<Received> => {
    const called = { workspaceId, integrationName: 'hash-encode', actionName: 'hash' };
    return api('/actions/execute', runs.product.key, { method: 'POST', body: { ...called, input, ...more } });
  };
  const post = async (path: string, body: object) => (await api(path, runs.product.key, { method: 'POST', body })).body;
  const everywhere = async (input: object, more: object = {}) =>
    new Set(statuses(await times(MANY, () => hash(input, more))));
  const input = { algorithm: 'sha256', text: 'hello' };
  // Every process now has the earlier configuration in its cache.
  expect(await everywhere(input)).toEqual(new Set([200]));
  const path = `/workspaces/${workspaceId}/integrations`;
  const { id } = (await post(path, { integrationName: 'hash-encode', alias: 'second' })).integration;
  expect(await everywhere(input, { workspaceIntegrationId: id })).toEqual(new Set([200]));
  expect(await everywhere({ algorithm: 'sha256' })).toEqual(new Set([400]));
  const partial = { workspaceId, integrationName: 'hash-encode', name: 'Text', isDefault: true };
  expect(await post('/partials', { ...partial, values: { text: 'hello' } })).toHaveProperty('partial');
  expect(await everywhere({ algorithm: 'sha256' })).toEqual(new Set([200]));
});

it('uses the connection of a configured integration in every process at once', async () => {
  const post = async (path: string, body: object) => (await api(path, runs.product.key, { method: 'POST', body })).body;
  const slug = `connected-${Date.now()}`;
  const { workspace } = await post('/workspaces', { name: 'Connected', slug });
  const fields = { integrationName: 'github', externalId: slug, displayName: 'Octocat' };
  const { connection } = await post('/connections', { ...fields, type: 'SECRET_TEXT', secretText: 'ghp_x' });
  const { input } = runs.bodyOf('connected') as { input: object };
  const action = { integrationName: 'github', actionName: 'create_issue' };
  const body = { ...action, workspaceId: workspace.id, input };
  const everywhere = async () => times(MANY, () => api('/actions/execute', runs.product.key, { method: 'POST', body }));
  for (const { body } of await everywhere()) expect(body).toMatchObject({ code: 'CONNECTION_REQUIRED' });
  const path = `/workspaces/${workspace.id}/integrations`;
  const made = { integrationName: 'github', connectionStrategy: 'fixed', connectionId: connection.id };
  const { integration } = await post(path, { ...made, alias: 'github' });
  expect(new Set(statuses(await everywhere()))).toEqual(new Set([200]));
  const change = (to: object) => api(`${path}/${integration.id}`, runs.product.key, { method: 'PATCH', body: to });
  expect((await change({ connectionStrategy: 'per_user', connectionId: null })).status).toBe(200);
  await sleep(1_000);
  expect((await change({ connectionStrategy: 'fixed', connectionId: connection.id })).status).toBe(200);
  expect(new Set(statuses(await everywhere()))).toEqual(new Set([200]));
});

it('stores the current configured integration with a trigger, in every process', async () => {
  const { workspaceId } = runs.bodyOf('') as { workspaceId: string };
  const post = (path: string, body: object) => api(path, runs.product.key, { method: 'POST', body });
  const asked = { workspaceId, integrationName: 'http' };
  // Every process now has the earlier configuration in its cache.
  await times(MANY, (index) => execute(`before the trigger ${index}`));
  const { body } = await post(`/workspaces/${workspaceId}/integrations`, { integrationName: 'http', alias: 'hooks' });
  const enabled = await times(6, (index) => {
    const callbackUrl = `https://receiver.example/${index}`;
    return post('/triggers/enable', { ...asked, triggerName: 'catch_hook', callbackUrl, simulate: true });
  });
  for (const { body: answer } of enabled)
    expect(answer.triggerSource).toMatchObject({ workspaceIntegrationId: body.integration.id });
});

it('serves an MCP server from every process', async () => {
  const { workspaceId } = runs.bodyOf('') as { workspaceId: string };
  const agent = await agentServer(runs.api, workspaceId);
  const issue = { repo: 'acme/app', title: 'by an agent' };
  const results = await times(8, () => callTool(agent, 'gh__create_issue', issue));
  for (const result of results) expect(result).not.toHaveProperty('isError');
  expect(runs.sentTimes('by an agent')).toBe(8);
});

it('replaces a killed process, while the others serve', async () => {
  const before = workersOf(group());
  process.kill(before[0]!, 'SIGKILL');
  await eventually(async () => expect(isAlive(before[0]!)).toBe(false));
  expect((await api('/organization')).status).toBe(200);
  await eventually(async () => {
    const now = workersOf(group());
    expect(now).toHaveLength(PROCESSES);
    expect(now).not.toContain(before[0]);
    expect(runs.product.logs()).toContain('a worker process was replaced');
  }, 30_000);
  expect(new Set(statuses(await times(MANY, () => api('/organization'))))).toEqual(new Set([200]));
});

it('ends its processes if the first one is killed, and starts again', async () => {
  const workers = workersOf(group());
  await runs.product.kill('drawbridge');
  await eventually(async () => expect(workers.filter(isAlive)).toEqual([]));
  await runs.restart(['drawbridge']);
  expect((await api('/organization')).status).toBe(200);
});

it('answers running calls before it ends, and leaves no process', async () => {
  const release = runs.hold();
  const answers = times(6, (index) => execute(`drained ${index}`));
  await times(6, (index) => runs.received(`drained ${index}`));
  const workers = workersOf(group());
  const ended = runs.product.kill('drawbridge', 'SIGTERM');
  await sleep(300);
  release();
  expect(statuses(await answers)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(await ended).toBe(0);
  expect(workers.filter(isAlive)).toEqual([]);
});
