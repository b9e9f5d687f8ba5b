import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseEnv } from './base-env.js';
import { type Running, startChild } from './child.js';
import { freePort } from './free-port.js';

export interface RedisServer {
  /** REDIS_URL. */
  url: string;
  pid(): number;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Starts a Redis on loopback without persistence. */
export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-redis-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const start = (): Promise<Running> =>
    startChild(
      {
        name: 'redis',
        command: ['redis-server', ...options],
        env: baseEnv(),
        readyWhen: /Ready to accept connections/,
      },
      folder,
    );
  let running = await start();
  const kill = async (): Promise<void> => void (await running.end('SIGKILL'));
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => running.pid,
    kill,
    restart: async () => void (running = await start()),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
