import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterAccess, ReadAccess } from './kubernetes-access.js';
import { KubernetesError, unreachable } from './kubernetes-errors.js';

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  /** Starts with /api/ or /apis/. Callers encode its parts. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** Names the operation in errors, such as `create the Job of a program`. */
  purpose: string;
  signal?: AbortSignal | undefined;
}

export interface ClientLimits {
  /** Time limit of one attempt, from the connection to the last byte of the response. */
  timeoutMs: number;
  maxBytes: number;
}

export interface KubernetesClient {
  /** Returns the JSON of the response. Throws a KubernetesError, or the reason of the signal if it aborts. */
  call(call: Call): Promise<unknown>;
  close(): void;
}

/** A list has at most 100 Jobs of 4 KiB, and every other response is one object. */
const LIMITS: ClientLimits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024 };
const ATTEMPTS = 3;
const MAX_WAIT_MS = 5_000;
const DEFAULT_WAIT_MS = 1_000;

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Calls the API server of a cluster. */
export function kubernetesClient(readAccess: ReadAccess, limits: ClientLimits = LIMITS): KubernetesClient {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  const attempt = async (call: Call): Promise<Answer> => send(await readAccess(), call, { agents, limits });
  return {
    async call(call) {
      for (let left = ATTEMPTS - 1; ; left--) {
        const result = await attempt(call).catch((error: unknown) => ({ error }));
        const waitMs = left > 0 ? retryAfter(result) : undefined;
        if (waitMs !== undefined) await sleep(waitMs, undefined, { signal: call.signal });
        else if ('error' in result) throw result.error;
        else return toJson(result, call);
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Returns after how many milliseconds to send the request again, or undefined if it must not be sent again. A token can expire between its reading and
 * the request, an overloaded API server has not processed the request, and a server may close a kept connection at the moment at which it is used.
 * Every call can be repeated: Jobs have unique names, so the second creation of a Job fails with 409.
 */
function retryAfter(result: Answer | { error: unknown }): number | undefined {
  if ('error' in result) return result.error instanceof KubernetesError && result.error.isClosed ? 0 : undefined;
  if (result.status === 401) return 0;
  if (result.status !== 429) return undefined;
  const seconds = Number(result.headers['retry-after']);
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_WAIT_MS) : DEFAULT_WAIT_MS;
}

interface Sending {
  agents: { http: HttpAgent; https: HttpsAgent };
  limits: ClientLimits;
}

async function send({ url, ca, token }: ClusterAccess, call: Call, { agents, limits }: Sending): Promise<Answer> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = call.signal ? AbortSignal.any([timeout, call.signal]) : timeout;
  const target = new URL(call.path, url);
  target.search = new URLSearchParams(call.query).toString();
  const body = call.body && Buffer.from(JSON.stringify(call.body));
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  const { method } = call;
  try {
    const request =
      target.protocol === 'https:'
        ? requestHttps(target, { method, headers, ca, signal, agent: agents.https })
        : requestHttp(target, { method, headers, signal, agent: agents.http });
    request.on('error', () => undefined); // An error after the response has started is one of the response, too.
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await read(response, call, limits.maxBytes);
  } catch (error) {
    call.signal?.throwIfAborted();
    if (error instanceof KubernetesError) throw error;
    throw unreachable(call.purpose, timeout.aborted ? `no response within ${limits.timeoutMs / 1000} s` : error);
  }
}

async function read(response: IncomingMessage, { purpose }: Call, maxBytes: number): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new KubernetesError({ purpose, status: 0, reason: `the response has more than ${maxBytes} bytes` });
    }
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

function toJson({ status, body }: Answer, { purpose }: Call): unknown {
  const value = parse(body);
  if (status >= 200 && status < 300 && value !== undefined) return value;
  const { reason, message } = (value ?? {}) as Record<string, unknown>;
  throw new KubernetesError({
    purpose,
    status,
    reason: typeof reason === 'string' ? reason : 'the response is not JSON of the Kubernetes API',
    message: typeof message === 'string' ? message : '',
  });
}

/** Returns undefined unless the bytes are a JSON object. */
function parse(body: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
