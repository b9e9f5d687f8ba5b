import { PassThrough } from 'node:stream';
import { createContainers } from './containers.js';
import type { KubernetesApi } from './kubernetes-api.js';
import { kubernetesDriver } from './kubernetes-driver.js';
import { KubernetesError } from './kubernetes-errors.js';
import { type Manifest, renderJob } from './kubernetes-job.js';
import type { JobState } from './kubernetes-list.js';
import { OWNER, ownerHost } from './owner.js';
import { request } from './testing/engine.js';
import { EXITED, frame, READY, STARTED } from './testing/frames.js';

const OPTIONS = {
  namespace: 'sandbox',
  instance: 'execution-0',
  image: 'drawbridge-sandbox@sha256:0',
  runtimeClassName: 'gvisor',
};

const podOf = (job: any): any => job.spec.template.spec;

it('renders a Job with every limit', () => {
  const job = renderJob({ language: 'python', network: false }, { ...OPTIONS, name: 'run' });
  expect(job.spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 3600, ttlSecondsAfterFinished: 30 });
  const { containers, volumes, ...pod } = podOf(job);
  expect(pod).toMatchObject({
    ...{
      runtimeClassName: 'gvisor',
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    },
    ...{ hostNetwork: false, hostPID: false, hostIPC: false, dnsPolicy: 'None', terminationGracePeriodSeconds: 1 },
    securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(containers).toEqual([
    expect.objectContaining({
      command: [
        ...[
          'bash',
          '-c',
          'ulimit -n 256 -c 0 -f 81920 && { ulimit -u 8192 || :; } && read -r -t 60 && exec "$@"',
          'bash',
        ],
        ...['python3', '-I', '-S', '/opt/drawbridge/supervisor.py', 'python'],
      ],
      imagePullPolicy: 'IfNotPresent',
      ...{ terminationMessagePath: '/root/termination-log', terminationMessagePolicy: 'File' },
      ...{ env: [], stdin: true, stdinOnce: true },
      resources: expect.objectContaining({
        limits: { cpu: '1', memory: '536870912', 'ephemeral-storage': '134217728' },
      }),
      securityContext: {
        ...{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, privileged: false },
        capabilities: { drop: ['ALL'] },
      },
    }),
  ]);
  expect(volumes).toEqual([
    { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '67108864' } },
    { name: 'files', emptyDir: { medium: 'Memory', sizeLimit: '16777216' } },
  ]);
});

it('uses the runtime of the node without a runtime class', () => {
  const job = renderJob({ language: 'python', network: false }, { ...OPTIONS, runtimeClassName: '', name: 'run' });
  expect(podOf(job)).not.toHaveProperty('runtimeClassName');
});

const DENY_ALL = { podSelector: {}, policyTypes: ['Ingress', 'Egress'] };

interface Cluster {
  api: KubernetesApi;
  created: Manifest[];
  jobs: Map<string, JobState>;
}

/**
 * Returns a fake cluster. Its pods send the same frames as the supervisor: `ready`, then `started` for a request, then the frames in `answer` when they
 * receive START_CODE.
 */
function fakeCluster(answer: Buffer, reason?: string): Cluster {
  const created: Manifest[] = [];
  const jobs = new Map<string, JobState>();
  const api: KubernetesApi = {
    async createJob(job) {
      created.push(job);
      const { name } = job.metadata;
      jobs.set(name, { name, owner: OWNER, createdAt: Date.now(), isReady: true });
    },
    async attach() {
      const [input, output] = [new PassThrough(), new PassThrough()];
      input.once('data', (line: Buffer) => {
        expect(line.toString()).toBe('\n');
        output.write(READY);
        input.once('data', () => {
          output.write(STARTED);
          input.once('data', () => output.end(answer));
        });
      });
      return { input, output };
    },
    endReason: async () => reason,
    hasStarted: async (name) => name === 'started',
    listJobs: async () => [...jobs.values()],
    deleteJob: async (name) => void jobs.delete(name),
    networkPolicy: async (name) => (name === 'deny-all' ? DENY_ALL : undefined),
    close: () => undefined,
  };
  return { api, created, jobs };
}

const EXIT = { ...EXITED, status: 3 };

function containersOn(api: KubernetesApi, resolve = async (): Promise<string> => '10.96.0.9') {
  const warm = { javascript: 0, python: 0, shell: 0 };
  return createContainers({ driver: kubernetesDriver({ ...OPTIONS, api, resolve }), warm });
}

it('runs code in a Job, and removes it', async () => {
  const { api, created, jobs } = fakeCluster(Buffer.concat([frame('o', 'hi'), frame('x', JSON.stringify(EXIT))]));
  const containers = containersOn(api);
  expect(await containers.run(request({}))).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: 'hi' });
  const [{ metadata } = {}]: any[] = created;
  expect(metadata).toMatchObject({
    namespace: 'sandbox',
    labels: { 'drawbridge.sandbox.instance': 'execution-0', 'drawbridge.sandbox/network': 'none' },
    annotations: { 'drawbridge.sandbox.owner': OWNER },
  });
  expect(created).toHaveLength(1);
  await containers.close();
  expect([...jobs]).toEqual([]);
});

it('gives a run with network the address of the proxy, and a run without it none', async () => {
  const { api, created } = fakeCluster(frame('x', JSON.stringify(EXIT)));
  const names: string[] = [];
  const resolve = async (name?: string): Promise<string> => (names.push(name!), '10.96.0.9');
  const containers = containersOn(api, resolve);
  await containers.run(request({ network: true }));
  await containers.run(request({}));
  expect(names).toEqual(['egress-proxy.sandbox.svc']);
  expect(podOf(created[0]).containers[0].env).toContainEqual({ name: 'https_proxy', value: 'http://10.96.0.9:3128' });
  expect((created[0] as any).spec.template.metadata.labels['drawbridge.sandbox/network']).toBe('proxy');
  expect(podOf(created[1]).containers[0].env).toEqual([]);
  await containers.close();
});

it('reports that the proxy has no address', async () => {
  const { api, created } = fakeCluster(Buffer.alloc(0));
  const resolve = async (): Promise<string> => Promise.reject(new Error('ENOTFOUND'));
  const run = containersOn(api, resolve).run(request({ network: true }));
  await expect(run).rejects.toMatchObject({
    code: 'NETWORK_UNAVAILABLE',
    message: expect.stringContaining('egress-proxy.sandbox.svc'),
  });
  expect(created).toEqual([]);
});

describe('a sweep', () => {
  const OLD = 130_000;
  const [, pid, start] = OWNER.split('/');
  const CASES: [string, Partial<JobState> & { age?: number }, boolean][] = [
    ['a Job of an earlier process of this pod', { owner: `${ownerHost(OWNER)}/${pid}/${Number(start) - 1}` }, false],
    ['a Job of this process that it does not know', { owner: OWNER }, false],
    ['a Job of another pod that runs', { owner: 'execution-b/1/1', age: OLD }, true],
    ['a Job of another pod that has not started yet', { owner: 'execution-b/1/1', isReady: false }, true],
    [
      'a Job of another pod that has not started for two minutes',
      { owner: 'execution-b/1/1', isReady: false, age: OLD },
      false,
    ],
    [
      'a Job of another pod that runs on a node that does not respond',
      { name: 'started', owner: 'execution-b/1/1', isReady: false, age: OLD },
      true,
    ],
    ['a Job without an owner that is older than two hours', { owner: '', age: 7_300_000 }, false],
  ];

  it.each(CASES)('decides on %s', async (_, { age = 0, ...state }, isKept) => {
    const { api, jobs } = fakeCluster(Buffer.alloc(0));
    const { name = 'found' } = state;
    jobs.set(name, { name, owner: '', isReady: true, createdAt: Date.now() - age, ...state });
    const containers = containersOn(api);
    await containers.sweep();
    expect(jobs.has(name)).toBe(isKept);
  });

  it('keeps the Job of a run of this process, and closing keeps those of other pods', async () => {
    const { api, jobs } = fakeCluster(frame('x', JSON.stringify(EXIT)));
    jobs.set('other', { name: 'other', owner: 'execution-b/1/1', isReady: true, createdAt: Date.now() });
    const containers = containersOn(api);
    await containers.run(request({ persistence: { key: 'a', tenant: 'a' } }));
    await containers.sweep();
    expect(jobs.size).toBe(2);
    await containers.close();
    expect([...jobs.keys()]).toEqual(['other']);
  });
});

it.each([
  ['OOMKilled', 'out_of_memory'],
  ['Error', 'failed'],
  ['Completed', 'unknown'],
  ['Evicted', 'unknown'],
  [undefined, 'unknown'],
])('reports a pod that ended with %s as %s', async (reason, outcome) => {
  const { api, jobs } = fakeCluster(frame('o', 'partial'), reason);
  const containers = containersOn(api);
  expect(await containers.run(request({}))).toMatchObject({ outcome, exitCode: null, stdout: 'partial' });
  await containers.close();
  expect([...jobs]).toEqual([]);
});

it.each([
  ['a frame that is too long', Buffer.from([0x6f, 0xff, 0xff, 0xff, 0xff])],
  ['an unknown frame', frame('?', 'x')],
  ['an exit frame of another shape', frame('x', JSON.stringify({ ...EXIT, status: '0' }))],
  ['an exit frame that is not JSON', frame('x', '{')],
  ['files that are not an archive', Buffer.concat([frame('f', 'x'.repeat(600)), frame('x', JSON.stringify(EXIT))])],
])('ends a run that answers with %s', async (_, answer) => {
  const { api } = fakeCluster(answer);
  expect(await containersOn(api).run(request({ mount: { key: 'a' } }))).toMatchObject({
    outcome: 'failed',
    exitCode: null,
  });
});

it.each([
  ['is missing', undefined],
  ['allows the egress of one port', { ...DENY_ALL, egress: [{ ports: [{ port: 53 }] }] }],
  ['selects some pods', { ...DENY_ALL, podSelector: { matchLabels: { a: 'b' } } }],
  ['denies incoming traffic only', { ...DENY_ALL, policyTypes: ['Ingress'] }],
])('starts nothing if the network policy %s, and continues when it is correct', async (_, spec) => {
  const { api, jobs } = fakeCluster(frame('x', JSON.stringify(EXIT)));
  let policy: Record<string, unknown> | undefined = spec;
  const containers = containersOn({ ...api, networkPolicy: async () => policy });
  await expect(containers.run(request({}))).rejects.toMatchObject({
    code: 'NETWORK_UNAVAILABLE',
    message: expect.stringContaining('Apply deploy/kubernetes/sandbox'),
  });
  expect([...jobs]).toEqual([]);
  policy = DENY_ALL;
  expect(await containers.run(request({}))).toMatchObject({ outcome: 'exited' });
});

it('reports a Job that the API server does not create in time as a program that has not run', async () => {
  const { api } = fakeCluster(Buffer.alloc(0));
  const createJob = (_: Manifest, signal: AbortSignal): Promise<void> =>
    new Promise((_done, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const driver = kubernetesDriver({ ...OPTIONS, api: { ...api, createJob }, startMs: 50 });
  await expect(driver.start({ language: 'shell', network: false })).rejects.toMatchObject({
    ...{ name: 'ContainerError', code: 'ENGINE_UNAVAILABLE', message: expect.stringContaining('No code has run') },
  });
});

it('starts no code after the network policy is removed, also not in a pod that waits for a run', async () => {
  const { api } = fakeCluster(frame('x', JSON.stringify(EXIT)));
  const policies = [DENY_ALL];
  let now = 0;
  const driver = kubernetesDriver({
    ...OPTIONS,
    api: { ...api, networkPolicy: async () => policies[0] },
    now: () => now,
  });
  const containers = createContainers({ driver, warm: { shell: 1 } });
  expect(await containers.run(request({}))).toMatchObject({ outcome: 'exited' });
  policies.pop();
  now = 11_000;
  await expect(containers.run(request({}))).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
  policies.push(DENY_ALL);
  expect(await containers.run(request({}))).toMatchObject({ outcome: 'exited' });
  await containers.close();
});

it.each([
  [403, 'jobs.batch is forbidden: exceeded quota: programs', 'has no quota left'],
  [403, 'jobs.batch is forbidden: User cannot create', 'grants the service account'],
  [404, 'namespaces "sandbox" not found', 'creates the namespace that SANDBOX_KUBERNETES_NAMESPACE names'],
  [0, '', 'Check SANDBOX_KUBERNETES_API'],
])('explains the status %i %s', async (status, message, advice) => {
  const { api } = fakeCluster(Buffer.alloc(0));
  const createJob = async (): Promise<void> => {
    throw new KubernetesError({ purpose: 'create the Job of a program', status, reason: 'Reason', message });
  };
  const run = containersOn({ ...api, createJob }).run(request({}));
  const error = await run.then(
    () => new Error('The run succeeded'),
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ code: 'ENGINE_UNAVAILABLE', message: expect.stringContaining(advice) });
  expect(error.message).toContain('could not create the Job of a program');
  if (message) expect(error.message).not.toContain(message);
});
