// A Kubernetes cluster of one node, for tests: the components as processes of this machine, and containerd. It runs in namespaces of its own
// (scripts/alone.mjs), so that no network, mount or process of it is visible outside or stays behind.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_PROGRAM } from '../../../scripts/prepare-cluster.mjs';
import { leaveMachine, makeCgroups, prepareMounts, prepareNetwork } from './machine.mjs';
import { writeSettings } from './settings.mjs';

const START_MS = 180_000;
const END_MS = 20_000;

/**
 * Starts the cluster with the images of `archive` (docker save), and all of its files in `folder`. Returns `kubectl`, which runs a command, and `stop`,
 * which ends every process of the cluster. Rejects with the end of the log of a component that does not start.
 */
export async function startNode(folder, archive) {
  const node = processes(folder);
  const { kubectl } = node;
  try {
    prepareMounts(folder);
    prepareNetwork();
    makeCgroups(folder);
    writeKubectl(folder);
    const flags = writeSettings(folder);
    const start = (...names) => names.forEach((name) => node.start(name, [NODE_PROGRAM, name, ...flags[name]]));

    node.start('containerd', ['containerd', ...flags.containerd]);
    start('etcd', 'kube-apiserver');
    await node.until('kube-apiserver', () => kubectl(['get', '--raw', '/readyz']));
    start('kube-controller-manager', 'kube-scheduler', 'coredns', 'kube-proxy');
    const ctr = ['--address', join(folder, 'containerd.sock'), '--namespace', 'k8s.io'];
    await node.until('containerd', () => execFileSync('ctr', [...ctr, 'version'], { stdio: 'pipe' }));
    execFileSync('ctr', [...ctr, 'images', 'import', archive], { stdio: 'pipe' });
    start('kubelet');
    await node.until('kubelet', () => kubectl(['wait', '--for=condition=Ready', 'node', '--all', '--timeout=1s']));
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

function processes(folder) {
  const running = new Map();
  const log = (name) => join(folder, `${name}.log`);
  return {
    start(name, [command, ...args]) {
      const output = openSync(log(name), 'a');
      const child = spawn(command, args, { cwd: folder, stdio: ['ignore', output, output], detached: true });
      closeSync(output);
      running.set(name, child);
    },
    /** Repeats `attempt` until it succeeds. Rejects with the end of the component's log if the component ends, or after START_MS. */
    async until(name, attempt) {
      for (const giveUpAt = Date.now() + START_MS; ; await sleep(500)) {
        try {
          return attempt();
        } catch (error) {
          if (running.get(name).exitCode === null && Date.now() < giveUpAt) continue;
          const end = readFileSync(log(name), 'utf8').slice(-2_000);
          throw new Error(`${name} did not start:\n${error.stderr ?? error}\n${end}`, { cause: error });
        }
      }
    },
    kubectl: (args, input) => kubectl(folder, args, input),
    async stop() {
      for (const child of [...running.values()].reverse()) await end(child);
      await leaveMachine(folder);
    },
  };
}

/** Makes the command `kubectl` of the cluster's version. */
function writeKubectl(folder) {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/kubectl'), `#!/bin/sh\nexec ${NODE_PROGRAM} kubectl "$@"\n`, { mode: 0o755 });
}

/** Returns the output of a command of kubectl; throws an error with what it printed. */
function kubectl(folder, args, input) {
  const { status, stdout, stderr } = spawnSync(join(folder, 'bin/kubectl'), args, {
    env: { ...process.env, KUBECONFIG: join(folder, 'admin.kubeconfig') },
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await exited;
  clearTimeout(kill);
}
