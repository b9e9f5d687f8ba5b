import { INSTANCE_LABEL, NO_NAME_SERVER, NOBODY, SUPERVISOR } from './docker-settings.js';
import type { ContainerSpec } from './driver.js';
import { LIMITS } from './limits.js';
import { PROXY_PORT } from './sandbox-range.js';

/** The value is `none` or `proxy`. The network policies select pods by this label. */
export const NETWORK_LABEL = 'drawbridge.sandbox/network';
const PROXY_LABELS = { 'drawbridge.sandbox/role': 'egress' };
/** The cluster deletes a pod after this time, even if the process that created it has exited. */
const MAX_LIFETIME_SECONDS = 3_600;

export interface JobOptions {
  name: string;
  namespace: string;
  instance: string;
  image: string;
  /** A sandboxed runtime, such as gvisor or kata. */
  runtimeClassName: string;
  /** The `host:port` of the egress proxy's Service. The host is an address, because runs have no name server. */
  proxy: string;
}

export type Manifest = { apiVersion: string; kind: string; metadata: { name: string; namespace: string } } & Record<
  string,
  unknown
>;

/**
 * Returns the Job for one container, with the limits of docker-settings.ts that Kubernetes supports. The cluster sets two limits itself: processes
 * (`podPidsLimit` of the kubelet) and open files (the container runtime).
 */
export function renderJob(spec: ContainerSpec, options: JobOptions): Manifest {
  const { name, namespace, instance, runtimeClassName } = options;
  const labels = { [INSTANCE_LABEL]: instance, [NETWORK_LABEL]: spec.network ? 'proxy' : 'none' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels } as Manifest['metadata'],
    spec: {
      backoffLimit: 0,
      activeDeadlineSeconds: MAX_LIFETIME_SECONDS,
      ttlSecondsAfterFinished: 0,
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          runtimeClassName,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          hostNetwork: false,
          hostPID: false,
          hostIPC: false,
          shareProcessNamespace: false,
          terminationGracePeriodSeconds: 0,
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
  const resources = { cpu: String(LIMITS.cpus), memory: String(LIMITS.memoryBytes), 'ephemeral-storage': '1Mi' };
  const url = `http://${proxy}`;
  const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return {
    name: 'run',
    image,
    command: [...SUPERVISOR, language],
    env: network ? variables.map((name) => ({ name, value: url })) : [],
    stdin: true,
    stdinOnce: true,
    tty: false,
    workingDir: '/tmp',
    resources: { limits: resources, requests: { ...resources, cpu: '100m' } },
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

/**
 * Returns the policies that deny all traffic of runs except to the proxy. Apply them before the first run, because without them pods have
 * unrestricted network access.
 */
export function renderNetworkPolicies(namespace: string): Manifest[] {
  const policy = (name: string, spec: object): Manifest => {
    return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name, namespace }, spec };
  };
  const both = ['Ingress', 'Egress'];
  const ports = [{ protocol: 'TCP', port: PROXY_PORT }];
  return [
    policy('sandbox-none', { podSelector: { matchLabels: { [NETWORK_LABEL]: 'none' } }, policyTypes: both }),
    policy('sandbox-proxy', {
      podSelector: { matchLabels: { [NETWORK_LABEL]: 'proxy' } },
      policyTypes: both,
      egress: [{ to: [{ podSelector: { matchLabels: PROXY_LABELS } }], ports }],
    }),
    policy('sandbox-egress', {
      podSelector: { matchLabels: PROXY_LABELS },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { [NETWORK_LABEL]: 'proxy' } } }], ports }],
    }),
  ];
}
