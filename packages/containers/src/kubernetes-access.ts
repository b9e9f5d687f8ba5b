import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContainerError, detailOf } from './container-error.js';

/** The address of an API server, and the credentials of one request to it. */
export interface ClusterAccess {
  /** A URL without a trailing slash. */
  url: string;
  /** Certificates in PEM. */
  ca: string;
  token: string;
}

export type ReadAccess = () => Promise<ClusterAccess>;

/** The files that Kubernetes mounts for a service account. */
const FILES = { token: 'token', ca: 'ca.crt' };

/**
 * Returns a function that reads the credentials from their folder. Call it for each request: the cluster replaces the token at least every hour, and a
 * token that was read earlier expires.
 */
export function readClusterAccess(url: string, folder: string): ReadAccess {
  const read = async (file: string): Promise<string> => {
    const text = await readFile(join(folder, file), 'utf8').catch((cause: unknown) => {
      throw missing(file, detailOf(cause, 'code'), cause);
    });
    if (text.trim() === '') throw missing(file, 'it is empty');
    return text.trim();
  };
  return async () => ({ url, token: await read(FILES.token), ca: await read(FILES.ca) });
}

function missing(file: string, reason: string, cause?: unknown): ContainerError {
  return new ContainerError(
    'ENGINE_UNAVAILABLE',
    `advanced-code cannot read ${file} in the folder SANDBOX_KUBERNETES_CREDENTIALS (${reason}). Give the pods of the execution service a service account with a token, as the component deploy/kubernetes/components/sandbox does.`,
    { cause },
  );
}

/** Throws unless the text is the https URL of an API server, without a path, a query or credentials. */
export function requireApiUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === 'https:' && url.origin === text.replace(/:443$/, '');
  if (!isPlain) throw new Error('must be https://host or https://host:port');
}

/** Throws unless the folder contains a token and a certificate. */
export function requireCredentials(folder: string): void {
  for (const file of Object.values(FILES)) {
    try {
      readFileSync(join(folder, file));
    } catch (cause) {
      throw new Error('must be a folder with token and ca.crt', { cause });
    }
  }
}
