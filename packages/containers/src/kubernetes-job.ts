import { INSTANCE_LABEL, NO_NAME_SERVER, NOBODY, SUPERVISOR } from './docker-settings.js';
import type { ContainerSpec } from './driver.js';
import { LIMITS } from './limits.js';
import { OWNER, OWNER_LABEL } from './owner.js';

/** The value is `none` or `proxy`. The network policies of deploy/kubernetes/sandbox select pods by this label. */
export const NETWORK_LABEL = 'drawbridge.sandbox/network';
/** An annotation and no label, because the value has characters that labels cannot have. */
export const OWNER_ANNOTATION = OWNER_LABEL;
export const CONTAINER = 'run';
/** The cluster ends a pod after this time, even if the process that created it has exited. */
const MAX_LIFETIME_SECONDS = 3_600;
/** The cluster deletes a Job this long after its end. Until then the reason of the end can be read. */
const ENDED_SECONDS = 30;
/**
 * Time in which a process must connect to a pod that runs. A pod ends after it, so that none remains of a process that was killed before it connected.
 * After that, the end of its standard input ends the pod.
 */
const CONNECT_SECONDS = 60;
/** Everything that a container writes is also written to a log of its node, which counts towards this limit. */
const LOG_BYTES = 128 * 1024 * 1024;
/** Requests are below the limits: most programs use little, and if a node has no memory left, the kubelet ends pods that exceed their request first. */
const REQUESTS = { cpu: '50m', memory: String(128 * 1024 * 1024), 'ephemeral-storage': '1Mi' };
/**
 * The kubelet mounts a file of the node here that every user may write, and no limit of the pod counts its bytes. Programs cannot open it, because
 * only root can enter this folder of the image. The default, /dev/termination-log, would let a program fill the disk of the node.
 */
const TERMINATION_LOG = '/root/termination-log';
/**
 * Maximum size of one file in KiB, the unit of Bash. It exceeds every file that fits into /tmp, so that a program that fills /tmp gets ENOSPC and not
 * the signal SIGXFSZ.
 */
const FILE_KIB = (LIMITS.scratchBytes + LIMITS.mountBytes) / 1024;
/**
 * Maximum number of processes and threads of all programs of one node together. The kernel counts them by user id, and all programs have the same one:
 * a limit sized for one program would be shared by all. 8,192 is more than 110 pods with 64 processes each need, and less than the 32,768 of a
 * node. Each pod is limited by `podPidsLimit` of the kubelet, which docs/kubernetes.md requires.
 */
const NODE_PROCESSES = 8_192;
/**
 * Starts the supervisor when a line arrives. A connection gets only the output that is written after it is made, so the supervisor must not write
 * before. Also sets the limits that a pod cannot have: open files, core dumps, processes, and the size of one file.
 */
const AFTER_CONNECTION = [
  'bash',
  '-c',
  // A node can have a lower limit of processes, which cannot be raised.
  `ulimit -n ${LIMITS.descriptors} -c 0 -f ${FILE_KIB} && { ulimit -u ${NODE_PROCESSES} || :; } && read -r -t ${CONNECT_SECONDS} && exec "$@"`,
  'bash',
];
/** The line for which AFTER_CONNECTION waits. */
export const CONNECTED = '\n';

export interface JobOptions {
  name: string;
  namespace: string;
  instance: string;
  image: string;
  /** A RuntimeClass of the cluster with a sandboxed runtime, such as gvisor or kata. Default: the runtime of the node. */
  runtimeClassName?: string | undefined;
  /** The `host:port` of the egress proxy, for a run with network. The host is an address, because runs have no name server. */
  proxy?: string | undefined;
}

export type Manifest = { apiVersion: string; kind: string; metadata: { name: string; namespace: string } } & Record<
  string,
  unknown
>;

/**
 * Returns the Job for one container, with the limits of docker-settings.ts that Kubernetes supports. The cluster limits the number of processes itself
 * (`podPidsLimit` of the kubelet). The number of files in a volume has no limit other than its size.
 */
export function renderJob(spec: ContainerSpec, options: JobOptions): Manifest {
  const { name, namespace, instance, runtimeClassName } = options;
  const labels = { [INSTANCE_LABEL]: instance, [NETWORK_LABEL]: spec.network ? 'proxy' : 'none' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels, annotations: { [OWNER_ANNOTATION]: OWNER } } as Manifest['metadata'],
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: MAX_LIFETIME_SECONDS,
      ttlSecondsAfterFinished: ENDED_SECONDS,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          ...(runtimeClassName && { runtimeClassName }),
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          hostNetwork: false,
          hostPID: false,
          hostIPC: false,
          shareProcessNamespace: false,
          // With 0 the cluster would forget the pod, and no longer count it towards a quota, while it still runs.
          terminationGracePeriodSeconds: 1,
          hostname: 'sandbox',
          dnsPolicy: 'None',
          dnsConfig: { nameservers: [NO_NAME_SERVER] },
          securityContext: podSecurity(),
          containers: [container(spec, options)],
          volumes: [memoryVolume('scratch', LIMITS.scratchBytes), memoryVolume('files', LIMITS.mountBytes)],
        },
      },
    },
  };
}

function podSecurity(): object {
  const ids = { runAsUser: NOBODY, runAsGroup: NOBODY, fsGroup: NOBODY };
  return { runAsNonRoot: true, ...ids, seccompProfile: { type: 'RuntimeDefault' } };
}

function container({ language, network }: ContainerSpec, { image, proxy }: JobOptions): object {
  const limits = {
    ...{ cpu: String(LIMITS.cpus), memory: String(LIMITS.memoryBytes) },
    'ephemeral-storage': String(LOG_BYTES),
  };
  const url = `http://${proxy}`;
  const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return {
    name: CONTAINER,
    image,
    // The default would be Always for an image without a tag, and could then start no program while the registry is unavailable.
    imagePullPolicy: 'IfNotPresent',
    command: [...AFTER_CONNECTION, ...SUPERVISOR, language],
    env: network ? variables.map((name) => ({ name, value: url })) : [],
    stdin: true,
    stdinOnce: true,
    tty: false,
    workingDir: '/tmp',
    terminationMessagePath: TERMINATION_LOG,
    terminationMessagePolicy: 'File',
    resources: { limits, requests: REQUESTS },
    securityContext: {
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      privileged: false,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'scratch', mountPath: '/tmp' },
      { name: 'files', mountPath: '/files' },
    ],
  };
}

function memoryVolume(name: string, bytes: number): object {
  return { name, emptyDir: { medium: 'Memory', sizeLimit: String(bytes) } };
}
