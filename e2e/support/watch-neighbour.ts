import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const PROBE = join(import.meta.dirname, 'probe.mjs');

/** Latencies of the neighbour's calls, in milliseconds. */
interface Answers {
  health: number[];
  call: number[];
  /** Calls with a status other than 200 or without a response, with the reason. */
  refused: string[];
}

export interface Watched {
  /** The highest latency of /healthz and of the cheapest call with a key, in milliseconds. */
  worst: number;
  refused: string[];
}

/** Measures the latency of another tenant (the neighbour) while `work` runs. */
export async function watchNeighbour(
  at: { baseUrl: string; key: string },
  work: () => Promise<unknown>,
): Promise<Watched> {
  const probe = spawn(process.execPath, [PROBE, at.baseUrl, at.key], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(probe.stdout, 'data');
    const output = text(probe.stdout);
    await work();
    probe.kill('SIGTERM');
    const { health, call, refused }: Answers = JSON.parse(await output);
    return { worst: Math.max(...health, ...call), refused };
  } finally {
    probe.kill('SIGKILL');
  }
}
