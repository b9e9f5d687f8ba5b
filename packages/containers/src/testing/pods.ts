import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { type Containers, createContainers } from '../containers.js';
import { kubernetesApi } from '../kubernetes-api.js';
import { kubernetesDriver } from '../kubernetes-driver.js';
import { type ApiServer, json, startApiServer } from './api-server.js';

const SANDBOX = join(import.meta.dirname, '../../../../deploy/sandbox');
/** Makes the folders that a pod has, which belong to root and can be written by the group, and starts the command of the container as its user. */
const START = `
  for folder in /tmp /files; do mount -t tmpfs -o mode=2777,gid=65534 none $folder; done
  cd /tmp && exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs "$@"`;
const ISOLATED = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** Returns whether this process may create namespaces, which takes the place of a node. */
export function canRunPods(): boolean {
  return spawnSync('unshare', [...ISOLATED, 'true']).status === 0;
}

export interface Cluster {
  containers: Containers;
  /** The pods by the names of their Jobs. */
  pods: Map<string, ChildProcess>;
  /** The connections to pods. */
  sockets: WebSocket[];
  close(): Promise<void>;
}

/** Starts an API server that runs each Job as a process on this machine, with the command of the Job and the real supervisor. */
export async function startCluster(): Promise<Cluster> {
  const server = await startApiServer();
  const madeFolder = mkdirSync('/files', { recursive: true });
  // Not in /tmp, which the pods replace.
  const programs = mkdtempSync('/var/tmp/drawbridge-programs-');
  chmodSync(programs, 0o755);
  for (const file of ['supervisor.py', 'run.mjs', 'run.py']) copyFileSync(join(SANDBOX, file), join(programs, file));
  const pods = new Map<string, ChildProcess>();
  const sockets: WebSocket[] = [];
  server.answer = answering(pods, programs);
  server.attach = (socket, { path }) => {
    sockets.push(socket);
    connect(socket, pods.get(path.split('/').at(-2)!)!);
  };
  const api = kubernetesApi(async () => ({ url: server.url, ca: '', token: 't' }), 'sandbox');
  const driver = kubernetesDriver({ api, namespace: 'sandbox', instance: 'test', image: 'drawbridge-sandbox' });
  const containers = createContainers({ driver, warm: { javascript: 0, python: 0, shell: 0 } });
  return {
    ...{ containers, pods, sockets },
    async close() {
      await containers.close();
      for (const pod of pods.values()) pod.kill('SIGKILL');
      await server.close();
      rmSync(programs, { recursive: true, force: true });
      if (madeFolder) rmdirSync(madeFolder);
    },
  };
}

function answering(pods: Cluster['pods'], programs: string): ApiServer['answer'] {
  const jobs = new Map<string, any>();
  return ({ method, path, query, body }, response) => {
    const name = path.split('/').at(-1)!;
    if (path.endsWith('/networkpolicies/deny-all')) {
      return json(response, 200, { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } });
    }
    if (method === 'POST') {
      jobs.set(body.metadata.name, body);
      pods.set(body.metadata.name, startPod(body, programs));
      return json(response, 201, body);
    }
    if (method === 'DELETE') {
      pods.get(name)?.kill('SIGKILL');
      jobs.delete(name);
      return json(response, 200, {});
    }
    if (path.endsWith('/jobs')) {
      const creationTimestamp = new Date().toISOString();
      const items = [...jobs.values()].map(({ metadata }) => ({ metadata: { ...metadata, creationTimestamp } }));
      return json(response, 200, { items });
    }
    const job = query['labelSelector']?.split('=')[1] ?? '';
    const status = { phase: 'Running', containerStatuses: [{ state: { running: {} } }] };
    json(response, 200, { items: jobs.has(job) ? [{ metadata: { name: job }, status }] : [] });
  };
}

function startPod(job: any, programs: string): ChildProcess {
  const { command } = job.spec.template.spec.containers[0];
  const own = command.map((part: string) => part.replace('/opt/drawbridge', programs));
  return spawn('unshare', [...ISOLATED, 'bash', '-c', START, 'bash', ...own], { stdio: ['pipe', 'pipe', 'ignore'] });
}

function connect(socket: WebSocket, { stdin, stdout }: ChildProcess): void {
  const [input, output] = [stdin as Writable, stdout as Readable];
  input.on('error', () => undefined);
  output.on('data', (bytes: Buffer) => socket.send(Buffer.concat([Buffer.of(1), bytes])));
  output.on('end', () => socket.close());
  socket.on('message', (bytes: Buffer) => void input.write(bytes.subarray(1)));
  socket.on('close', () => void input.end());
}
