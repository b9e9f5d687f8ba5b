import { ContainerError, detailOf } from './container-error.js';

interface Failure {
  purpose: string;
  /** The HTTP status, or 0 if no valid response arrived. */
  status: number;
  reason: string;
  /** The message of the API server. It names objects of the cluster, so only operators may read it. */
  message?: string;
  isClosed?: boolean;
  cause?: unknown;
}

/** A failed call to the API server. Its message is for operators. */
export class KubernetesError extends Error {
  readonly purpose: string;
  readonly status: number;
  readonly reason: string;
  /** Set if the server closed the connection before a response. */
  readonly isClosed: boolean;

  constructor({ purpose, status, reason, message = '', isClosed = false, cause }: Failure) {
    super(`Could not ${purpose}: ${[status || '', reason, message].filter(Boolean).join(' ')}`, { cause });
    this.name = 'KubernetesError';
    this.purpose = purpose;
    this.status = status;
    this.reason = reason;
    this.isClosed = isClosed;
  }
}

/** Returns the error of a request without a complete response. `cause` is an error of Node.js, or a text with the reason. */
export function unreachable(purpose: string, cause: unknown): KubernetesError {
  const reason = typeof cause === 'string' ? cause : detailOf(cause, 'code') || 'the response ended early';
  const isClosed = reason === 'ECONNRESET' || reason === 'EPIPE';
  return new KubernetesError({ purpose, status: 0, reason, isClosed, cause });
}

/** Converts an error of the API to a ContainerError for the caller. Returns an error with an unknown cause unchanged. */
export function explainKubernetesError(error: unknown): unknown {
  if (!(error instanceof KubernetesError)) return error;
  const { purpose, status, reason } = error;
  const text = `advanced-code could not ${purpose} (${status === 0 ? reason : `${status} ${reason}`}). ${adviceOn(error)}`;
  return new ContainerError('ENGINE_UNAVAILABLE', text, { cause: error });
}

const APPLY = 'Apply deploy/kubernetes/sandbox to the cluster';

function adviceOn({ status, message }: KubernetesError): string {
  switch (status) {
    case 0:
      return 'Check SANDBOX_KUBERNETES_API, and the network policy that lets the execution service reach the API server.';
    case 401:
      return 'Check that SANDBOX_KUBERNETES_CREDENTIALS has the token of a service account of this cluster.';
    case 403:
      return message.includes('exceeded quota')
        ? 'The namespace of programs has no quota left. Try again, or raise its ResourceQuota.'
        : `${APPLY}: it grants the service account of the execution service the rights that it needs.`;
    case 404:
      return `${APPLY}: it creates the namespace that SANDBOX_KUBERNETES_NAMESPACE names.`;
    case 429:
      return 'The API server is overloaded. Try again.';
    default:
      return 'Try again. If it fails again, read the log of the execution service and of the API server.';
  }
}
