import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Driver, SandboxContainer } from './driver.js';
import { INSTANCE_LABEL } from './docker-settings.js';
import { type JobOptions, type Manifest, renderJob, renderNetworkPolicies } from './kubernetes-job.js';

/** The operations of the Kubernetes API that the driver uses. */
export interface KubernetesApi {
  /** Creates the object, or replaces an object with the same name. */
  apply(manifest: Manifest): Promise<void>;
  /** Attaches to the Job's pod when it runs. Rejects after 30 s. */
  attach(namespace: string, job: string): Promise<{ input: Writable; output: Readable }>;
  /** Returns the reason why the Job's container exited, such as OOMKilled. */
  endReason(namespace: string, job: string): Promise<string | undefined>;
  /** Returns the names of Jobs with this label. */
  listJobs(namespace: string, label: string): Promise<string[]>;
  /** Deletes a Job and its pods without a grace period. Does not fail if the Job does not exist. */
  deleteJob(namespace: string, job: string): Promise<void>;
}

export interface KubernetesOptions extends Omit<JobOptions, 'name'> {
  api: KubernetesApi;
}

/** Runs each container as a Job. Applies the network policies before the first Job, and starts no Job if that fails. */
export function kubernetesDriver({ api, ...options }: KubernetesOptions): Driver {
  const { namespace, instance } = options;
  const known = new Set<string>();
  const protect = policiesOf(api, namespace);
  const remove = async (name: string): Promise<void> => {
    known.delete(name);
    await api.deleteJob(namespace, name);
  };
  const removeAll = async (isWanted: (name: string) => boolean): Promise<void> => {
    const orphans = (await api.listJobs(namespace, `${INSTANCE_LABEL}=${instance}`)).filter(isWanted);
    await Promise.all(orphans.map(remove));
  };
  return {
    async start(spec) {
      await protect();
      const name = `drawbridge-sandbox-${randomUUID()}`;
      known.add(name);
      try {
        await api.apply(renderJob(spec, { ...options, name }));
        const streams = await api.attach(namespace, name);
        return {
          ...{ name, ...streams },
          ranOutOfMemory: async () => (await api.endReason(namespace, name)) === 'OOMKilled',
          remove: () => remove(name),
        } satisfies SandboxContainer;
      } catch (error) {
        await remove(name).catch(() => undefined);
        throw error;
      }
    },
    removeOrphans: () => removeAll((name) => !known.has(name)),
    close: () => removeAll(() => true),
  };
}

/** Returns a function that applies the network policies once. After a failure the next call applies them again. */
function policiesOf(api: KubernetesApi, namespace: string): () => Promise<unknown> {
  let applied: Promise<unknown> | undefined;
  return () => {
    applied ??= Promise.all(renderNetworkPolicies(namespace).map((policy) => api.apply(policy))).catch(
      (error: unknown) => {
        applied = undefined;
        throw error;
      },
    );
    return applied;
  };
}
