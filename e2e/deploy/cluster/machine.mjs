// Parts of the machine that a node changes: its network, its mounts and its control groups.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The address of the node in its network namespace, which is also the test's. It is reserved for documentation, so no other machine has it. */
export const NODE_ADDRESS = '192.0.2.1';

/** The address range of Kubernetes Services. */
export const SERVICES = '10.96.0.0/16';

/** Folders that the components of Kubernetes use at a fixed path. Folders of the cluster are mounted over them. */
const FIXED = ['/run', '/var/log', '/var/lib/kubelet', '/var/lib/cni'];
/** Kernel parameters that the kubelet sets. A file of the cluster is mounted over each, so that the values of the whole machine do not change. */
const PARAMETERS = {
  'vm/overcommit_memory': 1,
  'vm/panic_on_oom': 0,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};
const END_MS = 20_000;
/** The CPU weight of all pods together. They compete with the processes outside of the cluster, each of which has the weight 1024. */
const CPU_SHARES = 8_192;
const CGROUPS = '/sys/fs/cgroup';

export function prepareMounts(folder) {
  execFileSync('mount', ['--bind', folder, folder]);
  for (const path of FIXED) {
    const own = join(folder, 'fixed', path);
    mkdirSync(own, { recursive: true });
    mkdirSync(path, { recursive: true });
    execFileSync('mount', ['--bind', own, path]);
  }
  for (const [name, value] of Object.entries(PARAMETERS)) {
    const own = join(folder, `fixed/${basename(name)}`);
    writeFileSync(own, `${value}\n`);
    if (existsSync(`/proc/sys/${name}`)) execFileSync('mount', ['--bind', own, `/proc/sys/${name}`]);
  }
}

export function prepareNetwork() {
  const changes = [
    `addr add ${NODE_ADDRESS}/32 dev lo`,
    'link set lo up',
    // Without a route, the test process could not send to the addresses of Services, which kube-proxy then translates.
    `route add ${SERVICES} dev lo src ${NODE_ADDRESS}`,
  ];
  for (const change of changes) execFileSync('ip', change.split(' '));
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
}

const cgroupOf = basename;

/** The kubelet requires that the group of its pods exists under each controller. */
export function makeCgroups(folder) {
  for (const group of hierarchies()) {
    const own = join(group, cgroupOf(folder));
    mkdirSync(own, { recursive: true });
    if (existsSync(join(own, 'cpu.shares'))) writeFileSync(join(own, 'cpu.shares'), String(CPU_SHARES));
  }
}

/** Ends the processes of all pods, and removes what no namespace removes: the control groups, and mounts that keep the files of the cluster busy. */
export async function leaveMachine(folder) {
  for (const giveUpAt = Date.now() + END_MS; ; await sleep(200)) {
    try {
      for (const hierarchy of hierarchies()) remove(join(hierarchy, cgroupOf(folder)));
      break;
    } catch (error) {
      if (error.code !== 'EBUSY' || Date.now() > giveUpAt) throw error;
    }
  }
  for (const path of [...FIXED, folder]) execFileSync('umount', ['--recursive', '--lazy', path]);
}

/** Kills the processes of a control group and deletes the group. Throws EBUSY while a killed process is ending. */
function remove(group) {
  if (!existsSync(group)) return;
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) remove(join(group, entry.name));
  for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Number)) kill(Number(pid));
  rmdirSync(group);
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Returns the folders of the control groups: one for each controller of cgroup version 1, or the single folder of version 2. */
function hierarchies() {
  if (existsSync(join(CGROUPS, 'cgroup.controllers'))) return [CGROUPS];
  return readdirSync(CGROUPS).map((name) => join(CGROUPS, name));
}

/** The name of the control group of all pods, as the kubelet expects it. */
export const cgroupRoot = (folder) => `/${cgroupOf(folder)}`;
