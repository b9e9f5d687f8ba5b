import { ContainerError } from './container-error.js';
import type { KubernetesApi } from './kubernetes-api.js';

/** The policy of deploy/kubernetes/sandbox that denies all traffic of every pod of the namespace. */
const POLICY = 'deny-all';
/** Maximum age of the last successful check before a program starts, because a policy can be removed while the service runs. */
const CHECKED_MS = 10_000;

interface Guarded {
  api: KubernetesApi;
  namespace: string;
  now?: () => number;
}

/** Returns a function that rejects unless the policy existed within the last 10 s. After a failure the next call checks again. */
export function policyGuard({ api, namespace, now = () => performance.now() }: Guarded): () => Promise<void> {
  let checked: Promise<void> | undefined;
  let checkedAt = 0;
  return () => {
    if (checked && now() - checkedAt < CHECKED_MS) return checked;
    checkedAt = now();
    const check = requirePolicy(api, namespace).catch((error: unknown) => {
      if (checked === check) checked = undefined;
      throw error;
    });
    return (checked = check);
  };
}

async function requirePolicy(api: KubernetesApi, namespace: string): Promise<void> {
  const spec = await api.networkPolicy(POLICY);
  const { podSelector = {}, policyTypes, ingress = [], egress = [] } = spec ?? {};
  const deniesAll =
    JSON.stringify([podSelector, ingress, egress]) === '[{},[],[]]' &&
    ['Ingress', 'Egress'].every((type) => Array.isArray(policyTypes) && policyTypes.includes(type));
  if (deniesAll) return;
  throw networkUnavailable(`the network policy ${POLICY} of the namespace ${namespace} is missing or allows traffic`);
}

/** Returns the error for a namespace in which programs would not be isolated, or could not reach the proxy. */
export function networkUnavailable(reason: string, cause?: unknown): ContainerError {
  return new ContainerError(
    'NETWORK_UNAVAILABLE',
    `The network of programs is not set up: ${reason}. The code was not started. Apply deploy/kubernetes/sandbox to the cluster.`,
    { cause },
  );
}
