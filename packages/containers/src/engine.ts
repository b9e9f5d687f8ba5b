import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DockerOptions as Connection } from 'dockerode';
import { ContainerError, detailOf } from './container-error.js';

const DEFAULT = 'unix:///var/run/docker.sock';

export interface EngineAddress {
  connection: Connection;
  /** For messages. */
  text: string;
}

/** Reads DOCKER_HOST. tcp uses TLS if DOCKER_CERT_PATH names a folder with ca.pem, cert.pem and key.pem. Throws an Error that names the variable. */
export function toEngineAddress(host = '', certificates = ''): EngineAddress {
  const text = host || DEFAULT;
  if (text.startsWith('unix:///')) return { connection: { socketPath: text.slice('unix://'.length) }, text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'tcp:' || url.hostname === '') {
    throw new Error(`DOCKER_HOST must be unix:///path or tcp://host:port (got ${text}).`);
  }
  const port = Number(url.port || (certificates ? 2376 : 2375));
  if (!certificates) return { connection: { protocol: 'http', host: url.hostname, port }, text };
  const read = (file: string): Buffer => readFileSync(join(certificates, file));
  const tls = { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  return { connection: { protocol: 'https', host: url.hostname, port, ...tls }, text };
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

/** Returns the error that a caller sees. An error that is already one, or that has no known cause, is returned as it is. */
export function explainEngineError(error: unknown, address: string, image: string): unknown {
  if (error instanceof ContainerError) return error;
  const code = detailOf(error, 'code');
  if (UNREACHABLE.has(code)) {
    return new ContainerError(
      'ENGINE_UNAVAILABLE',
      `advanced-code needs a container engine, and no Docker engine answers at ${address} (${code}). Start one (Debian: apt-get install docker.io, then systemctl start docker), or set DOCKER_HOST to the address of a running one.`,
      { cause: error },
    );
  }
  if (detailOf(error, 'statusCode') === '404' && /no such image/i.test(detailOf(error, 'message'))) {
    return new ContainerError(
      'IMAGE_MISSING',
      `The Docker engine at ${address} does not have the image ${image}. Build it with deploy/sandbox/build.mjs and import it, or set SANDBOX_IMAGE to an image that the engine has.`,
      { cause: error },
    );
  }
  return error;
}

/** 404: it is gone. 409: another request is removing it. */
export function ignoreMissing(error: unknown): void {
  if (!['404', '409'].includes(detailOf(error, 'statusCode'))) throw error;
}
