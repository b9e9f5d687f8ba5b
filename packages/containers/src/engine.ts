import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DockerOptions as Connection } from 'dockerode';
import { ContainerError, detailOf } from './container-error.js';

const DEFAULT = 'unix:///var/run/docker.sock';

/**
 * Parses DOCKER_HOST. tcp uses TLS if DOCKER_CERT_PATH is a folder that contains ca.pem, cert.pem and key.pem. Throws an Error that contains the name
 * of the variable.
 */
export function toConnection(host = '', certificates = ''): Connection {
  const text = host || DEFAULT;
  if (text.startsWith('unix:///')) return { socketPath: text.slice('unix://'.length) };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'tcp:' || url.hostname === '') {
    throw new Error(`DOCKER_HOST must be unix:///path or tcp://host:port (got ${text}).`);
  }
  const port = Number(url.port || (certificates ? 2376 : 2375));
  if (!certificates) return { protocol: 'http', host: url.hostname, port };
  const read = (file: string): Buffer => {
    try {
      return readFileSync(join(certificates, file));
    } catch (cause) {
      throw new Error('DOCKER_CERT_PATH must be a folder with ca.pem, cert.pem and key.pem.', { cause });
    }
  };
  const tls = { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  return { protocol: 'https', host: url.hostname, port, ...tls };
}

const UNREACHABLE = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'EACCES',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);

/** Converts an error of the engine to a ContainerError for the caller. Returns an error with an unknown cause unchanged. */
export function explainEngineError(error: unknown, image: string): unknown {
  if (error instanceof ContainerError) return error;
  const code = detailOf(error, 'code');
  if (UNREACHABLE.has(code)) {
    return new ContainerError(
      'ENGINE_UNAVAILABLE',
      `advanced-code needs a Docker engine, and none answers (${code}). On the machine of the execution service, start one (Debian: apt-get install docker.io, then systemctl start docker), or set DOCKER_HOST to the address of a running one.`,
      { cause: error },
    );
  }
  if (detailOf(error, 'statusCode') === '404' && /no such image/i.test(detailOf(error, 'message'))) {
    return new ContainerError(
      'IMAGE_MISSING',
      `The Docker engine does not have the image ${image}. Build it as deploy/sandbox/README.md describes, or set SANDBOX_IMAGE to an image that the engine has.`,
      { cause: error },
    );
  }
  return error;
}

/** Ignores the status 404 (the container no longer exists) and 409 (another request is removing it), and throws any other error. */
export function ignoreMissing(error: unknown): void {
  if (!['404', '409'].includes(detailOf(error, 'statusCode'))) throw error;
}
