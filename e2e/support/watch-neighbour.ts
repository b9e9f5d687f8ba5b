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
  latePauseMs: number;
}

export interface Watched {
  /** The highest latency of /healthz and of the cheapest call with a key, in milliseconds. */
  worst: number;
  refused: string[];
  /** The longest delay of a timer of the measuring process, in milliseconds. A long delay shows that the processors were occupied. */
  latePauseMs: number;
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
    const { health, call, ...more }: Answers = JSON.parse(await output);
    return { worst: Math.max(...health, ...call), ...more };
  } finally {
    probe.kill('SIGKILL');
  }
}

/** The number of attempts that decide. A blocked product is slow in every attempt. */
const TRIES = 3;
/** The time for all attempts, with those that prove nothing because the processors were occupied. */
const MOST_MS = 150_000;
const BUSY_MS = 500;

/**
 * Repeats `work` until the neighbour's calls are answered within `bearableMs` during it. Throws if a call fails, or after three slow attempts, without
 * those during which the processors were occupied. It therefore cannot find a delay that only the first attempt has. Returns the highest latency of
 * each attempt in milliseconds.
 */
export async function expectBearable(
  at: { baseUrl: string; key: string },
  work: () => Promise<unknown>,
  bearableMs: number,
): Promise<number[]> {
  const seen: number[] = [];
  const giveUpAt = performance.now() + MOST_MS;
  let decisive = 0;
  do {
    const { worst, refused, latePauseMs } = await watchNeighbour(at, work);
    expect(refused).toEqual([]);
    seen.push(worst);
    if (latePauseMs < BUSY_MS) decisive++;
  } while (Math.min(...seen) >= bearableMs && decisive < TRIES && performance.now() < giveUpAt);
  expect(Math.min(...seen)).toBeLessThan(bearableMs);
  return seen;
}
