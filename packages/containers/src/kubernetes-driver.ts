import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { INSTANCE_LABEL } from './docker-settings.js';
import type { ContainerSpec, Driver, EndReason, SandboxContainer } from './driver.js';
import type { KubernetesApi } from './kubernetes-api.js';
import { explainKubernetesError } from './kubernetes-errors.js';
import { CONNECTED, type JobOptions, renderJob } from './kubernetes-job.js';
import type { JobState } from './kubernetes-list.js';
import { notRunning } from './kubernetes-pod.js';
import { networkUnavailable, policyGuard } from './kubernetes-policy.js';
import { START_MS } from './limits.js';
import { isAbandoned, OWNER, ownerHost } from './owner.js';
import { PROXY_PORT } from './sandbox-range.js';

export interface KubernetesOptions extends Omit<JobOptions, 'name' | 'proxy'> {
  api: KubernetesApi;
  /** Resolves the name of the egress proxy's Service to an address. */
  resolve?: (name: string) => Promise<string>;
  startMs?: number;
  /** A clock in milliseconds. */
  now?: () => number;
}

/** The Service of the egress proxy in deploy/kubernetes/sandbox. */
const PROXY_SERVICE = 'egress-proxy';
/**
 * Age at which a Job of another pod that does not run counts as abandoned. Its owner gives it up after START_MS. The difference allows for clocks that
 * differ.
 */
const UNSTARTED_MS = 120_000;

/** Runs each container as a Job. Starts no Job if the namespace does not deny all traffic by default. */
export function kubernetesDriver(options: KubernetesOptions): Driver {
  const { api, instance } = options;
  const known = new Set<string>();
  const protect = policyGuard(options);
  const remove = async (name: string): Promise<void> => {
    known.delete(name); // Must come first, so that the next sweep repeats a removal that fails.
    await api.deleteJob(name);
  };
  const removeAll = async (isWanted: (job: JobState) => boolean | Promise<boolean>): Promise<void> => {
    const all = await api.listJobs(`${INSTANCE_LABEL}=${instance}`);
    await Promise.all(all.map(async (job) => (await isWanted(job)) && remove(job.name)));
  };
  const start = async (spec: ContainerSpec): Promise<SandboxContainer> => {
    await protect();
    const name = `drawbridge-sandbox-${randomUUID()}`;
    known.add(name);
    try {
      return await startJob(spec, { ...options, name, remove: () => remove(name) });
    } catch (error) {
      await remove(name).catch(() => undefined);
      throw error;
    }
  };
  return {
    start: (spec) => explained(start(spec)),
    requireIsolation: () => explained(protect()),
    removeOrphans: () => explained(removeAll((job) => !known.has(job.name) && isOrphan(job, api))),
    async close() {
      await explained(removeAll(({ owner }) => owner === OWNER));
      api.close();
    },
  };
}

function explained<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw explainKubernetesError(error);
  });
}

interface Start extends KubernetesOptions {
  name: string;
  remove: () => Promise<void>;
}

async function startJob(
  spec: ContainerSpec,
  { api, name, remove, startMs = START_MS, ...options }: Start,
): Promise<SandboxContainer> {
  const signal = AbortSignal.timeout(startMs);
  const proxy = spec.network ? await addressOfProxy(options) : undefined;
  await api.createJob(renderJob(spec, { ...options, name, proxy }), signal).catch((error: unknown) => {
    throw signal.aborted ? notRunning('the API server did not create its Job in time') : error;
  });
  const { input, output } = await api.attach(name, options.image, signal);
  input.write(CONNECTED);
  return {
    ...{ name, input, output },
    endReason: async () => toEndReason(await api.endReason(name).catch(() => undefined)),
    async remove() {
      input.destroy(); // Ends the program at once. The cluster ends the pod of a deleted Job some time later.
      await remove();
    },
  };
}

/** `Error` is attributed to the code. `Completed` is the exit of a supervisor after its input ended, and Evicted comes from the cluster. */
function toEndReason(reason: string | undefined): EndReason {
  if (reason === 'OOMKilled') return 'out_of_memory';
  return reason === 'Error' ? 'exited' : 'unknown';
}

async function addressOfProxy({
  namespace,
  resolve = toAddress,
}: Pick<KubernetesOptions, 'namespace' | 'resolve'>): Promise<string> {
  const name = `${PROXY_SERVICE}.${namespace}.svc`;
  try {
    return `${await resolve(name)}:${PROXY_PORT}`;
  } catch (cause) {
    throw networkUnavailable(`the name ${name} has no address`, cause);
  }
}

async function toAddress(name: string): Promise<string> {
  const { address, family } = await lookup(name);
  return family === 6 ? `[${address}]` : address;
}

/**
 * Returns whether the owner of a Job has exited. The processes of other pods cannot be seen. A Job of theirs that runs ends with the connection of its
 * owner, so only a Job that does not run must be deleted: its image is missing, or no node has room for it.
 */
async function isOrphan({ name, owner, createdAt, isReady }: JobState, api: KubernetesApi): Promise<boolean> {
  if (isAbandoned({ owner, createdAt })) return true;
  const isOwn = ownerHost(owner) === ownerHost(OWNER);
  if (isOwn || isReady || Date.now() - createdAt <= UNSTARTED_MS) return false;
  return !(await api.hasStarted(name));
}
