import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';

/** Returns the worker processes of a product with `--processes`. Its database server is also a child process, with a different name. */
export function workersOf(pid: number): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  const pids = children.split('\n').map(Number).filter(Boolean);
  return pids.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('node'));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Received {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: any;
}

/** Sends a request over a new connection, so that any process of the group may receive it. */
export function sendAnew(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Received> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const all = { ...headers, ...(text && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, method, headers: all }, async (response) => {
      try {
        let received = '';
        for await (const chunk of response) received += chunk;
        const isJson = response.headers['content-type']?.includes('json');
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: isJson ? JSON.parse(received) : received });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject).end(text);
  });
}
