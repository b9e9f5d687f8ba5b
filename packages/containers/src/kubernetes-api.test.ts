import { buffer } from 'node:stream/consumers';
import { type KubernetesApi, kubernetesApi } from './kubernetes-api.js';
import { type ApiServer, json, startApiServer } from './testing/api-server.js';

const JOBS = '/apis/batch/v1/namespaces/sandbox/jobs';
const PODS = '/api/v1/namespaces/sandbox/pods';
const JOB = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'run', namespace: 'sandbox' } };

let server: ApiServer;
let api: KubernetesApi;

beforeEach(async () => {
  server = await startApiServer();
  api = kubernetesApi(async () => ({ url: server.url, ca: '', token: 't' }), 'sandbox');
});
afterEach(async () => {
  api.close();
  await server.close();
});

const soon = (): AbortSignal => AbortSignal.timeout(5_000);

/** Responds to requests for the Job's pod with these statuses, one after the other, and repeats the last one. */
function serveStatuses(...statuses: (object | undefined)[]): void {
  server.answer = ({ path, query }, response) => {
    expect([path, query['labelSelector']]).toEqual([PODS, 'batch.kubernetes.io/job-name=run']);
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    json(response, 200, { items: status ? [{ metadata: { name: 'run-x' }, status }] : [] });
  };
}

const RUNNING = { phase: 'Running', containerStatuses: [{ state: { running: {} } }] };
const waiting = (reason: string): object => ({
  phase: 'Pending',
  containerStatuses: [{ state: { waiting: { reason } } }],
});

it('creates a Job once, even if the first response is lost', async () => {
  server.answer = (_, response) => {
    if (server.calls.length === 1) response.destroy();
    else json(response, 409, { reason: 'AlreadyExists' });
  };
  await api.createJob(JOB, soon());
  expect(server.calls).toMatchObject([
    { method: 'POST', path: JOBS, body: JOB },
    { method: 'POST', path: JOBS, body: JOB },
  ]);
});

it('connects when the pod runs, and again if its node does not know the container yet', async () => {
  serveStatuses(undefined, { phase: 'Pending' }, waiting('ContainerCreating'), RUNNING);
  server.refuse = [500, 404];
  server.attach = (socket, { path, query }) => {
    expect({ path, query }).toEqual({
      path: `${PODS}/run-x/attach`,
      query: { container: 'run', stdin: 'true', stdout: 'true', stderr: 'true' },
    });
    socket.close();
  };
  const { output } = await api.attach('run', 'image', soon());
  await buffer(output);
});

it.each(['ErrImagePull', 'ImagePullBackOff', 'ImageInspectError'])(
  'waits while the pod waits with %s',
  async (reason) => {
    serveStatuses(waiting(reason), waiting(reason), RUNNING);
    server.attach = (socket) => socket.close();
    await buffer((await api.attach('run', 'image', soon())).output);
    serveStatuses(waiting(reason));
    await expect(api.attach('run', 'drawbridge-sandbox:1', AbortSignal.timeout(400))).rejects.toMatchObject({
      code: 'IMAGE_MISSING',
      message: expect.stringContaining(`cannot get the image drawbridge-sandbox:1 (${reason})`),
    });
  },
);

it.each(['ErrImageNeverPull', 'InvalidImageName'])(
  'reports the image at once if the pod waits with %s',
  async (reason) => {
    serveStatuses(waiting(reason));
    await expect(api.attach('run', 'drawbridge-sandbox:1', soon())).rejects.toMatchObject({
      code: 'IMAGE_MISSING',
      message: expect.stringContaining(`cannot get the image drawbridge-sandbox:1 (${reason})`),
    });
  },
);

it.each([
  [
    'no node has room',
    { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
    'Unschedulable',
  ],
  ['the Job has no pod', undefined, 'the Job has no pod'],
  ['its container is being created', waiting('ContainerCreating'), 'ContainerCreating'],
])('reports why the pod did not run in time: %s', async (_, status, reason) => {
  serveStatuses(status);
  const late = api.attach('run', 'image', AbortSignal.timeout(400));
  await expect(late).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining(`(${reason})`),
  });
});

it('reports a pod that ended before it was connected', async () => {
  serveStatuses({ phase: 'Failed', reason: 'Evicted' });
  await expect(api.attach('run', 'image', soon())).rejects.toThrow('(Evicted)');
});

it('continues to wait while the API server restarts', async () => {
  serveStatuses(RUNNING);
  const { answer } = server;
  server.answer = (call, response) => {
    if (server.calls.length === 1) json(response, 503, { reason: 'ServiceUnavailable' });
    else if (server.calls.length < 5)
      response.destroy(); // The client sends a request three times.
    else answer(call, response);
  };
  server.attach = (socket) => socket.close();
  const { output } = await api.attach('run', 'image', soon());
  await buffer(output);
});

it('does not wait if the service account must not list pods', async () => {
  server.answer = (_, response) => json(response, 403, { reason: 'Forbidden' });
  await expect(api.attach('run', 'image', soon())).rejects.toMatchObject({ status: 403 });
});

it('does not wait if the service account must not connect', async () => {
  serveStatuses(RUNNING);
  server.refuse = [403];
  await expect(api.attach('run', 'image', soon())).rejects.toMatchObject({ status: 403 });
});

it('waits for the reason of the end of a pod', async () => {
  serveStatuses(RUNNING, { phase: 'Failed', containerStatuses: [{ state: { terminated: { reason: 'OOMKilled' } } }] });
  expect(await api.endReason('run')).toBe('OOMKilled');
  serveStatuses(undefined);
  expect(await api.endReason('run')).toBeUndefined();
});

it.each([
  ['no pod', undefined, false],
  ['a pod that waits for a node', { phase: 'Pending' }, false],
  ['a pod that runs', RUNNING, true],
  ['a pod on a node that does not respond', { ...RUNNING, conditions: [{ type: 'Ready', status: 'False' }] }, true],
])('reports whether a Job with %s has started', async (_, status, hasStarted) => {
  serveStatuses(status);
  expect(await api.hasStarted('run')).toBe(hasStarted);
});

const listed = (name: string, ready?: number): object => ({
  metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z', annotations: { 'drawbridge.sandbox.owner': 'pod/1/2' } },
  status: ready === undefined ? {} : { ready },
});

it('lists the Jobs of every page, and begins again once if the list has expired', async () => {
  let isExpired = true;
  server.answer = ({ query }, response) => {
    expect(query).toMatchObject({ labelSelector: 'a=b', limit: '100' });
    if (!query['continue']) json(response, 200, { items: [listed('one', 1)], metadata: { continue: 'next' } });
    else if (isExpired) json(response, 410, { reason: 'Expired' });
    else json(response, 200, { items: [listed('two')], metadata: {} });
    if (query['continue']) isExpired = false;
  };
  const common = { owner: 'pod/1/2', createdAt: Date.parse('2026-01-01T00:00:00Z') };
  expect(await api.listJobs('a=b')).toEqual([
    { name: 'one', isReady: true, ...common },
    { name: 'two', isReady: false, ...common },
  ]);
});

it('fails if the list expires twice', async () => {
  server.answer = ({ query }, response) => {
    if (query['continue']) json(response, 410, { reason: 'Expired' });
    else json(response, 200, { items: [listed('one')], metadata: { continue: 'next' } });
  };
  await expect(api.listJobs('a=b')).rejects.toMatchObject({ status: 410 });
});

it('deletes a Job with its pods, and accepts that it does not exist', async () => {
  await api.deleteJob('run');
  expect(server.calls).toMatchObject([
    { method: 'DELETE', path: `${JOBS}/run`, body: { propagationPolicy: 'Background' } },
  ]);
});

it('reads a network policy, or undefined if it does not exist', async () => {
  expect(await api.networkPolicy('deny-all')).toBeUndefined();
  server.answer = (_, response) => json(response, 200, { spec: { podSelector: {} } });
  expect(await api.networkPolicy('deny-all')).toEqual({ podSelector: {} });
});
