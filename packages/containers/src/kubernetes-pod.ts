import { ContainerError } from './container-error.js';
import { START_MS } from './limits.js';

/** The fields of a pod that this package reads. The API omits fields without a value. */
export interface Pod {
  metadata: { name: string };
  status?: {
    phase?: string;
    reason?: string;
    conditions?: { type: string; status: string; reason?: string }[];
    containerStatuses?: { state?: ContainerState }[];
  };
}

interface ContainerState {
  waiting?: { reason?: string };
  running?: object;
  terminated?: { reason?: string };
}

/** `waiting` has the reason for which the container does not run yet, as far as the cluster reports it. */
export type PodState = { running: string } | { waiting: string } | { ended: string };

/** Reasons of the kubelet for which no later attempt succeeds, unless an operator changes the cluster. */
const FINAL_REASONS = new Set(['ErrImageNeverPull', 'InvalidImageName']);
/** Reasons after which the kubelet tries again: the registry may respond the next time. */
const PULL_REASONS = new Set(['ErrImagePull', 'ImagePullBackOff', 'ImageInspectError', 'RegistryUnavailable']);

/** Throws IMAGE_MISSING if the node can never get the image. */
export function stateOf(pod: Pod | undefined, image: string): PodState {
  if (!pod) return { waiting: 'the Job has no pod' };
  const { phase, conditions = [], containerStatuses = [] } = pod.status ?? {};
  const state = containerStatuses[0]?.state;
  const end = endOf(pod);
  if (end !== undefined) return { ended: end };
  if (state?.running && phase === 'Running') return { running: pod.metadata.name };
  const reason = state?.waiting?.reason;
  if (reason !== undefined && FINAL_REASONS.has(reason)) throw imageMissing(image, reason);
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return { waiting: reason ?? unscheduled?.reason ?? phase ?? 'unknown' };
}

/** Returns the reason for which the pod's container exited, such as OOMKilled or Evicted, or undefined while it has not exited. */
export function endOf({ status = {} }: Pod): string | undefined {
  const ended = status.containerStatuses?.[0]?.state?.terminated;
  if (ended) return ended.reason ?? 'Error';
  const isOver = status.phase === 'Failed' || status.phase === 'Succeeded';
  return isOver ? (status.reason ?? status.phase) : undefined;
}

/** The phase of a pod stays Running while its node does not respond, although the pod is then no longer ready. */
export function hasStarted(pod: Pod | undefined): boolean {
  return pod?.status?.phase !== undefined && pod.status.phase !== 'Pending';
}

/** Returns the error for a pod that waited with this reason until the time for its start was over. */
export function notStartedInTime(image: string, reason: string): ContainerError {
  return PULL_REASONS.has(reason) ? imageMissing(image, reason) : notRunning(reason);
}

/** Returns the error for a pod that did not run in time, or that ended before code ran in it. */
export function notRunning(reason: string): ContainerError {
  return new ContainerError(
    'ENGINE_UNAVAILABLE',
    `The pod of the program did not run within ${START_MS / 1000} s (${reason}). No code has run. Try again; if it fails again, check that the nodes have free CPU and memory: kubectl get events in the namespace of SANDBOX_KUBERNETES_NAMESPACE.`,
  );
}

function imageMissing(image: string, reason: string): ContainerError {
  return new ContainerError(
    'IMAGE_MISSING',
    `The nodes of the cluster cannot get the image ${image} (${reason}). Push it to a registry of the cluster as deploy/sandbox/README.md describes, or set SANDBOX_IMAGE to an image that the nodes have.`,
  );
}
