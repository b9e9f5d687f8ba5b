import { readFileSync } from 'node:fs';
import { type Product } from '@drawbridge/testkit';

const SAMPLE_MS = 250;

export interface MemoryWatch {
  /** Returns the peak memory of all processes together since the last call, in MiB. */
  peak(): number;
  now(): number;
  stop(): void;
}

/** Samples the resident memory of the product's processes (VmRSS, proc(5)) four times a second. */
export function watchMemory(product: Product): MemoryWatch {
  const held = (): number => Object.values(product.processes()).reduce((sum, pid) => sum + residentMiB(pid), 0);
  let most = held();
  const timer = setInterval(() => (most = Math.max(most, held())), SAMPLE_MS);
  return {
    peak() {
      const peak = Math.max(most, held());
      most = 0;
      return peak;
    },
    now: held,
    stop: () => clearInterval(timer),
  };
}

function residentMiB(pid: number): number {
  const [, kB = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kB) / 1024;
}
