import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadAccess } from './kubernetes-access.js';
import { attach, type AttachedStreams } from './kubernetes-attach.js';
import { type Call, type KubernetesClient, kubernetesClient } from './kubernetes-client.js';
import { KubernetesError } from './kubernetes-errors.js';
import { CONTAINER, type Manifest } from './kubernetes-job.js';
import { type JobState, listJobs, toList } from './kubernetes-list.js';
import { endOf, hasStarted, notRunning, notStartedInTime, type Pod, stateOf } from './kubernetes-pod.js';

/** The operations of the Kubernetes API that the driver uses, in one namespace. They throw a KubernetesError or a ContainerError. */
export interface KubernetesApi {
  createJob(job: Manifest, signal: AbortSignal): Promise<void>;
  /** Waits until the Job's pod runs, and connects to it. */
  attach(job: string, image: string, signal: AbortSignal): Promise<AttachedStreams>;
  /** Waits until the Job's container has exited, for at most 5 s. Returns the reason, such as OOMKilled. */
  endReason(job: string): Promise<string | undefined>;
  /** Returns whether the Job's container has started, even if its node does not respond any more. */
  hasStarted(job: string): Promise<boolean>;
  /** Returns all Jobs with this label. */
  listJobs(label: string): Promise<JobState[]>;
  /** Deletes a Job and its pods. Does not fail if the Job does not exist. */
  deleteJob(job: string): Promise<void>;
  /** Returns the `spec` of a network policy, or undefined if there is none with this name. */
  networkPolicy(name: string): Promise<Record<string, unknown> | undefined>;
  close(): void;
}

const POLL_MS = 250;
const END_MS = 5_000;

export function kubernetesApi(readAccess: ReadAccess, namespace: string): KubernetesApi {
  const client = kubernetesClient(readAccess);
  const inNamespace = `namespaces/${encodeURIComponent(namespace)}`;
  const jobs = `/apis/batch/v1/${inNamespace}/jobs`;
  const pods: Pods = { client, readAccess, path: `/api/v1/${inNamespace}/pods` };
  return {
    createJob: (job, signal) =>
      client
        .call({ method: 'POST', path: jobs, body: job, purpose: 'create the Job of a program', signal })
        .then(() => undefined, ignore(409)),
    attach: (job, image, signal) => attachTo(pods, { job, image, signal }),
    endReason: (job) => endReason(pods, job),
    hasStarted: async (job) => hasStarted(await findPod(pods, job)),
    listJobs: (label) => listJobs(client, jobs, label),
    deleteJob: (job) =>
      client
        .call({
          ...{ method: 'DELETE', path: `${jobs}/${encodeURIComponent(job)}`, purpose: 'delete the Job of a program' },
          body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' },
        })
        .then(() => undefined, ignore(404, 409)),
    async networkPolicy(name) {
      const path = `/apis/networking.k8s.io/v1/${inNamespace}/networkpolicies/${encodeURIComponent(name)}`;
      const call: Call = { method: 'GET', path, purpose: 'read the network policy of programs' };
      const found = await client.call(call).catch(ignore(404));
      return (found as { spec?: Record<string, unknown> } | undefined)?.spec;
    },
    close: () => client.close(),
  };
}

interface Pods {
  client: KubernetesClient;
  readAccess: ReadAccess;
  path: string;
}

interface Wanted {
  job: string;
  image: string;
  signal: AbortSignal;
}

async function attachTo(pods: Pods, { job, image, signal }: Wanted): Promise<AttachedStreams> {
  let reason = 'the Job has no pod';
  while (!signal.aborted) {
    try {
      const state = stateOf(await findPod(pods, job, signal), image);
      if ('ended' in state) throw notRunning(state.ended);
      if ('running' in state) return await connect(pods, state.running, signal);
      reason = state.waiting;
    } catch (error) {
      if (!signal.aborted && !canSucceedLater(error)) throw error;
      if (error instanceof KubernetesError) reason = error.message;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  throw notStartedInTime(image, reason);
}

const CONNECT = 'connect to the pod of a program';

function connect({ readAccess, path }: Pods, pod: string, signal: AbortSignal): Promise<AttachedStreams> {
  const query = { container: CONTAINER, stdin: 'true', stdout: 'true', stderr: 'true' };
  return attach(readAccess, { path: `${path}/${pod}/attach`, query, purpose: CONNECT, signal });
}

/**
 * Returns whether another attempt can succeed. An API server that restarts does not respond, or responds with 5xx. A connection is also refused if the
 * token expired after it was read, or if the kubelet does not know the container yet.
 */
function canSucceedLater(error: unknown): boolean {
  if (!(error instanceof KubernetesError)) return false;
  const { status, purpose } = error;
  if (purpose === CONNECT) return status !== 403;
  return status === 0 || status === 429 || status >= 500;
}

async function endReason(pods: Pods, job: string): Promise<string | undefined> {
  for (const giveUpAt = Date.now() + END_MS; Date.now() < giveUpAt; await sleep(POLL_MS)) {
    const pod = await findPod(pods, job);
    const reason = pod && endOf(pod);
    if (!pod || reason !== undefined) return reason;
  }
  return undefined;
}

async function findPod({ client, path }: Pods, job: string, signal?: AbortSignal): Promise<Pod | undefined> {
  const query = { labelSelector: `batch.kubernetes.io/job-name=${job}`, limit: '1' };
  const call: Call = { method: 'GET', path, query, purpose: 'read the pod of a program', signal };
  return toList<Pod>(await client.call(call)).items[0];
}

function ignore(...statuses: number[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof KubernetesError && statuses.includes(error.status))) throw error;
  };
}
