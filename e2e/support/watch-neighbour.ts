import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const PROBE = join(import.meta.dirname, 'probe.mjs');

/** Milliseconds, of every answer that the neighbour got. */
interface Answers {
  health: number[];
  call: number[];
  /** What was not answered with 200, and why. */
  refused: string[];
}

export interface Watched {
  /** The longest wait, in milliseconds: for /healthz and for the cheapest call with a key. */
  worst: number;
  refused: string[];
}

/** What somebody else hears of the product while `work` goes on. */
export async function watchNeighbour(
  at: { baseUrl: string; key: string },
  work: () => Promise<unknown>,
): Promise<Watched> {
  const probe = spawn(process.execPath, [PROBE, at.baseUrl, at.key], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(probe.stdout, 'data');
    const said = text(probe.stdout);
    await work();
    probe.kill('SIGTERM');
    const { health, call, refused }: Answers = JSON.parse(await said);
    return { worst: Math.max(...health, ...call), refused };
  } finally {
    probe.kill('SIGKILL');
  }
}
