import type { ContainerCreateOptions } from 'dockerode';
import { LIMITS } from './limits.js';
import { OWNER, OWNER_LABEL } from './owner.js';
import { SECCOMP_PROFILE } from './seccomp-profile.js';

export const INSTANCE_LABEL = 'drawbridge.sandbox.instance';
/** User and group id of nobody and nogroup, which own no file. language: the name of the Unix user. */
export const NOBODY = 65_534;
export const SUPERVISOR = ['python3', '-I', '-S', '/opt/drawbridge/supervisor.py'];
/**
 * The name server of containers: an address that is reserved for documentation, where no server responds. Without it, Docker's name server would
 * forward queries of a container that has no network.
 */
export const NO_NAME_SERVER = '192.0.2.1';

export interface Settings {
  name: string;
  image: string;
  instance: string;
  command: string[];
  network: string;
  env: Record<string, string>;
  /** The OCI runtime of the engine, such as runsc. Default: that of the engine. */
  runtime?: string | undefined;
}

/** Returns the settings of a container that runs code. They set every limit, and grant only privileges that code needs. */
export function sandboxSettings(settings: Settings): ContainerCreateOptions {
  const tmpfs = (bytes: number, more: string): string =>
    `rw,nosuid,nodev,${more}size=${bytes},nr_inodes=${LIMITS.inodes},uid=${NOBODY},gid=${NOBODY},mode=0700`;
  return {
    ...confined(settings),
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    WorkingDir: '/tmp',
    HostConfig: {
      ...confinedHost(settings),
      Memory: LIMITS.memoryBytes,
      MemorySwap: LIMITS.memoryBytes,
      NanoCpus: LIMITS.cpus * 1e9,
      PidsLimit: LIMITS.processes,
      Dns: [NO_NAME_SERVER],
      DnsSearch: ['.'],
      Tmpfs: { '/tmp': tmpfs(LIMITS.scratchBytes, 'noexec,'), '/files': tmpfs(LIMITS.mountBytes, 'noexec,') },
    },
  };
}

/** Returns the settings of the egress proxy. It is as confined as code, but its network has external access. */
export function proxySettings(settings: Settings): ContainerCreateOptions {
  const memory = 1024 * 1024 * 1024;
  return {
    ...confined(settings),
    HostConfig: {
      ...confinedHost(settings, 4_096),
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: 1e9,
      PidsLimit: LIMITS.processes,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
    },
  };
}

function confined({ name, image, instance, command, env }: Settings): ContainerCreateOptions {
  return {
    name,
    Image: image,
    Cmd: command,
    User: `${NOBODY}:${NOBODY}`,
    Tty: false,
    Env: Object.entries(env).map(([variable, value]) => `${variable}=${value}`),
    Labels: { [INSTANCE_LABEL]: instance, [OWNER_LABEL]: OWNER },
    // By default, the host name is the start of the container's id, which differs in each run.
    Hostname: 'sandbox',
  };
}

function confinedHost(
  { network, runtime }: Settings,
  descriptors: number = LIMITS.descriptors,
): NonNullable<ContainerCreateOptions['HostConfig']> {
  return {
    NetworkMode: network,
    ReadonlyRootfs: true,
    Privileged: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges:true', `seccomp=${SECCOMP_PROFILE}`],
    // Disables shared memory segments, /dev/shm and message queues.
    IpcMode: 'none',
    Ulimits: [
      { Name: 'nofile', Soft: descriptors, Hard: descriptors },
      { Name: 'core', Soft: 0, Hard: 0 },
      { Name: 'memlock', Soft: 65_536, Hard: 65_536 },
    ],
    LogConfig: { Type: 'none', Config: {} },
    ...(runtime && { Runtime: runtime }),
  };
}
