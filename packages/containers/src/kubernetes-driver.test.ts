import { PassThrough } from 'node:stream';
import { createContainers } from './containers.js';
import { type KubernetesApi, kubernetesDriver } from './kubernetes-driver.js';
import { type Manifest, renderJob, renderNetworkPolicies } from './kubernetes-job.js';
import { request } from './testing/engine.js';

const OPTIONS = {
  namespace: 'sandbox',
  instance: 'execution-0',
  image: 'drawbridge-sandbox@sha256:0',
  runtimeClassName: 'gvisor',
  proxy: '10.96.0.9:3128',
};

const podOf = (job: any): any => job.spec.template.spec;

it('renders a Job with every limit', () => {
  const job = renderJob({ language: 'python', network: false }, { ...OPTIONS, name: 'run' });
  expect(job.spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 3600, ttlSecondsAfterFinished: 0 });
  const { containers, volumes, ...pod } = podOf(job);
  expect(pod).toMatchObject({
    ...{
      runtimeClassName: 'gvisor',
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
    },
    ...{ hostNetwork: false, hostPID: false, hostIPC: false, dnsPolicy: 'None', terminationGracePeriodSeconds: 0 },
    securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(containers).toEqual([
    expect.objectContaining({
      command: ['python3', '-I', '-S', '/opt/drawbridge/supervisor.py', 'python'],
      ...{ env: [], stdin: true, stdinOnce: true },
      resources: expect.objectContaining({ limits: { cpu: '1', memory: '536870912', 'ephemeral-storage': '1Mi' } }),
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

it('gives a run with network the proxy, and the label that the policy selects', () => {
  const job: any = renderJob({ language: 'shell', network: true }, { ...OPTIONS, name: 'run' });
  expect(podOf(job).containers[0].env).toContainEqual({ name: 'https_proxy', value: 'http://10.96.0.9:3128' });
  const [none, proxy, egress]: any[] = renderNetworkPolicies('sandbox');
  expect(none.spec).toEqual({
    podSelector: { matchLabels: { 'drawbridge.sandbox/network': 'none' } },
    policyTypes: ['Ingress', 'Egress'],
  });
  expect(job.spec.template.metadata.labels).toMatchObject(proxy.spec.podSelector.matchLabels);
  expect(proxy.spec).not.toHaveProperty('ingress');
  expect(proxy.spec.egress).toEqual([
    { to: [{ podSelector: egress.spec.podSelector }], ports: [{ protocol: 'TCP', port: 3128 }] },
  ]);
});

/** Returns a fake cluster. Its pods send the same frames as the supervisor: `ready`, then the frames in `answer` for each request. */
function fakeCluster(answer: Buffer, reason?: string) {
  const objects: Manifest[] = [];
  const jobs = new Set<string>(['left-over']);
  const api: KubernetesApi = {
    async apply(manifest) {
      objects.push(manifest);
      if (manifest.kind === 'Job') jobs.add(manifest.metadata.name);
    },
    async attach() {
      const [input, output] = [new PassThrough(), new PassThrough()];
      output.write(frame('h', '{"protocol":1}'));
      input.once('data', () => output.end(Buffer.concat([frame('s', '1'), answer])));
      return { input, output };
    },
    endReason: async () => reason,
    listJobs: async () => [...jobs],
    deleteJob: async (_, name) => void jobs.delete(name),
  };
  return { api, objects, jobs };
}

function frame(kind: string, payload: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, Buffer.from(payload)]);
}

const EXIT = { status: 3, timedOut: false, outOfMemory: false, durationMs: 1, truncated: false, skipped: 0 };

function containersOn(api: KubernetesApi) {
  const warm = { javascript: 0, python: 0, shell: 0 };
  return createContainers({
    driver: kubernetesDriver({ ...OPTIONS, api }),
    warm,
  });
}

it('runs code in a Job behind the policies, and removes it and orphans', async () => {
  const { api, objects, jobs } = fakeCluster(Buffer.concat([frame('o', 'hi'), frame('x', JSON.stringify(EXIT))]));
  const containers = containersOn(api);
  await containers.sweep();
  expect([...jobs]).toEqual([]);
  expect(await containers.run(request({}))).toMatchObject({ outcome: 'exited', exitCode: 3, stdout: 'hi' });
  expect(objects.map(({ kind }) => kind)).toEqual(['NetworkPolicy', 'NetworkPolicy', 'NetworkPolicy', 'Job']);
  await containers.close();
  expect([...jobs]).toEqual([]);
});

it.each([
  ['OOMKilled', 'out_of_memory'],
  ['Error', 'failed'],
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

it('starts nothing without its network policies', async () => {
  const { api, jobs } = fakeCluster(Buffer.alloc(0));
  const apply = async (): Promise<void> => Promise.reject(new Error('forbidden'));
  await expect(containersOn({ ...api, apply }).run(request({}))).rejects.toThrow('forbidden');
  expect([...jobs]).toEqual(['left-over']);
});
