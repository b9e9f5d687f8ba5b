import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PlainRequest {
  name: string;
  method: string;
  path: string;
  token: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Returns whether the body of a response with status 200 is the expected one. Default: yes. */
  isRight?(body: any): boolean;
}

export interface SteadyRequests {
  /** Stops sending and waits for the outstanding responses. */
  stop(): Promise<{ sent: number; failures: string[] }>;
}

const LIMIT_MS = 60_000;
const MOST_LATE_MS = 1_000;

/**
 * Sends these requests to `baseUrl` in turn, `perSecond` in total, and counts every one that is refused, lost or answered by anything but 200. Does
 * not retry requests. Every second round reuses open connections; each request of the other rounds opens a new connection.
 */
export function steadyRequests(baseUrl: string, perSecond: number, requests: PlainRequest[]): SteadyRequests {
  const kept = new Agent({ keepAlive: true });
  const alone = new Agent({ keepAlive: false });
  const failures: string[] = [];
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let sent = 0;

  function send(): void {
    const next = requests[sent % requests.length]!;
    const isKept = Math.floor(sent / requests.length) % 2 === 0;
    sent += 1;
    const startedAt = new Date().toISOString();
    const result = answerTo(baseUrl, next, isKept ? kept : alone).then(
      (problem) => problem && failures.push(`${startedAt} ${next.name}, ${isKept ? 'kept' : 'new'}: ${problem}`),
    );
    const done: Promise<void> = result.then(() => void running.delete(done));
    running.add(done);
  }

  async function sendAll(): Promise<void> {
    let dueAt = performance.now();
    while (!isStopped) {
      // A busy machine can suspend this process. Sending all requests that were due meanwhile at once would exceed the intended rate.
      dueAt = Math.max(dueAt, performance.now() - MOST_LATE_MS);
      for (; dueAt < performance.now(); dueAt += 1_000 / perSecond) send();
      await sleep(1_000 / perSecond);
    }
  }
  const sending = sendAll();

  return {
    async stop() {
      isStopped = true;
      await sending;
      await Promise.all(running);
      kept.destroy();
      return { sent, failures };
    },
  };
}

/** Sends a request. Resolves with the problem of the response, or undefined if the response is as expected. */
function answerTo(baseUrl: string, { method, path, token, body, headers, isRight }: PlainRequest, agent: Agent) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise<string | undefined>((resolve) => {
    const options = {
      method,
      agent,
      timeout: LIMIT_MS,
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
    };
    const sending = request(baseUrl + path, options, async (response) => {
      try {
        const chunks = await response.toArray();
        const answer = Buffer.concat(chunks).toString();
        const isGood = response.statusCode === 200 && (isRight?.(JSON.parse(answer)) ?? true);
        resolve(isGood ? undefined : `${response.statusCode} ${answer.slice(0, 500)}`);
      } catch (error) {
        resolve(String(error));
      }
    });
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} ${error.message}`));
    sending.on('timeout', () => sending.destroy(new Error(`no response in ${LIMIT_MS} ms`)));
    sending.end(text);
  });
}
