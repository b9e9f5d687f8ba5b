import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { command } from '../support/command.js';
import { drawbridge } from '../../support/drawbridge.js';
import { eventually } from '../../support/eventually.js';
import { itRunsPrograms } from '../../support/program-cases.js';
import { newPrograms, type Programs } from '../../support/programs.js';
import { kubectl } from './kubectl.js';
import { itResistsAttacks } from './program-attacks.js';

const SOCKET = join(dirname(process.env['KUBECONFIG']!), 'containerd.sock');
const INSTANCE = 'drawbridge.sandbox.instance';
const inSandbox = (...args: string[]): Promise<string> => kubectl('--namespace', 'drawbridge-sandbox', ...args);
const names = async (kind: string): Promise<string[]> =>
  (await inSandbox('get', kind, '--selector', INSTANCE, '--output=name')).split('\n').filter(Boolean);

/** Kills the processes of the execution service with SIGKILL. Kubernetes restarts their containers in the same pods. */
async function killExecution(): Promise<void> {
  const path = '{.items[*].status.containerStatuses[0].containerID}';
  const ids = await kubectl(
    'get',
    'pods',
    '--selector',
    'app.kubernetes.io/name=execution',
    `--output=jsonpath=${path}`,
  );
  for (const id of ids.split(' ')) {
    const ctr = ['ctr', '--address', SOCKET, '--namespace', 'k8s.io'];
    await command([...ctr, 'tasks', 'kill', '--signal', 'SIGKILL', id.replace('containerd://', '')]);
  }
}

describe('advanced code as Jobs of a cluster', () => {
  let programs: Programs;

  beforeAll(async () => {
    programs = await newPrograms(await drawbridge());
    // The first start of a container waits until the pods of execution have found the namespace of programs.
    await eventually(async () => expect((await programs.output('echo ready')).stdout).toBe('ready\n'), 120_000);
  }, 180_000);

  // The network plugin of this cluster does not enforce policies, so there is no control.
  itRunsPrograms(() => programs, { startSeconds: 15, isOneProcess: false, interfaces: 1 });
  itResistsAttacks(() => programs);

  it('runs programs in pods that Pod Security restricts, without a token of the cluster', async () => {
    const integration = await programs.configured({});
    const { stdout } = await programs.output('ls -a /var/run/secrets /run/secrets 2>&1; touch /x 2>&1; ulimit -n', {
      integration,
    });
    expect(stdout).not.toContain('serviceaccount');
    expect(stdout).toContain('Read-only file system');
    expect(stdout).toContain('256');
    const [pod] = JSON.parse(await inSandbox('get', 'pods', '--selector', INSTANCE, '--output=json')).items;
    expect(pod.spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(pod.spec.containers[0].image).toBe('drawbridge-sandbox:0.1.0');
  });

  it('ends a program that uses too much memory', async () => {
    const { status, body } = await programs.run("print(len(b'x' * 700_000_000))", { language: 'python' });
    expect({ status, code: body.details?.provider?.code }).toEqual({ status: 400, code: 'MEMORY_LIMIT' });
  });

  it('returns all of a large output, and cuts it off at the limit', async () => {
    const { stdout, truncated } = await programs.output('head -c 1000000 /dev/zero | tr "\\0" x');
    expect({ length: stdout.length, truncated }).toEqual({ length: 256 * 1024, truncated: true });
  });

  it('has no right beyond Jobs of its namespace', async () => {
    const as = ['auth', 'can-i', '--as', 'system:serviceaccount:drawbridge:execution'];
    const may = (...args: string[]): Promise<string> =>
      kubectl(...as, ...args).then(
        (answer) => answer.trim(),
        () => 'no',
      );
    expect(await may('create', 'jobs', '--namespace', 'drawbridge-sandbox')).toBe('yes');
    for (const args of [
      ['create', 'jobs'],
      ['get', 'secrets'],
      ['create', 'pods', '--namespace', 'drawbridge-sandbox'],
      ['create', 'pods/exec', '--namespace', 'drawbridge-sandbox'],
      ['get', 'secrets', '--namespace', 'drawbridge-sandbox'],
      ['delete', 'networkpolicies', '--namespace', 'drawbridge-sandbox'],
    ]) {
      expect({ args, may: await may(...args) }).toEqual({ args, may: 'no' });
    }
  });

  // The input of the pods ends, and the cluster deletes their Jobs: this needs no sweep.
  it('ends the programs of a killed service, and runs new ones', async () => {
    const integration = await programs.configured({ timeoutSeconds: 120 });
    const lost = programs.run('sleep 100', { integration }).catch(() => undefined);
    await sleep(10_000);
    expect((await names('jobs')).length).toBeGreaterThan(0);
    await killExecution();
    await eventually(async () => expect([...(await names('jobs')), ...(await names('pods'))]).toEqual([]), 120_000);
    await lost;
    await eventually(async () => expect((await programs.output('echo again')).stdout).toBe('again\n'), 120_000);
  }, 300_000);

  it('deletes a Job of another pod that has not started for two minutes, and keeps one that is newer', async () => {
    const [known] = JSON.parse(await inSandbox('get', 'jobs', '--selector', INSTANCE, '--output=json')).items;
    const name = await createPending(known.metadata.labels);
    await sleep(100_000);
    expect(await inSandbox('get', 'job', name, '--output=name')).toContain(name);
    await eventually(async () => expect(await names('jobs')).not.toContain(`job.batch/${name}`), 120_000);
  }, 300_000);
});

/** Creates a Job that cannot be scheduled, because no node matches its selector. The process that owns it does not exist. */
async function createPending(labels: Record<string, string>): Promise<string> {
  const name = `pending-${Date.now()}`;
  const container = {
    ...{ name: 'run', image: 'drawbridge-sandbox:0.1.0', command: ['true'] },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
  const template = {
    metadata: { labels },
    spec: {
      ...{ restartPolicy: 'Never', nodeSelector: { 'no.such/node': 'true' }, containers: [container] },
      securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: 'RuntimeDefault' } },
    },
  };
  const metadata = { name, labels, annotations: { 'drawbridge.sandbox.owner': 'execution-gone/1/1' } };
  const file = join(tmpdir(), `${name}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } }));
  await inSandbox('create', '--filename', file);
  rmSync(file);
  return name;
}
