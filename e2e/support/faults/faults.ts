import { setTimeout as sleep } from 'node:timers/promises';
import { type Product } from '@drawbridge/testkit';

/** Injects a fault into a process while `calls` are in progress, and reverts it when they have completed. */
type Fault = (product: Product, name: string, calls: () => Promise<unknown>) => Promise<void>;

/** The minimum time in milliseconds for which SIGSTOP stops a process, even if the calls complete earlier. */
const STOPPED_MS = Number(process.env['STOPPED_MS'] ?? 0);

export const FAULTS = {
  SIGSTOP: async (product, name, calls) => {
    const pid = product.processes()[name]!;
    process.kill(pid, 'SIGSTOP');
    // A stopped gateway responds only after it is resumed.
    const answered = calls();
    try {
      await Promise.all([name === 'gateway' ? undefined : answered, sleep(STOPPED_MS)]);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await answered;
  },

  'kill -9': async (product, name, calls) => {
    const answered = calls();
    await product.kill(name);
    await answered;
    await product.restart(name);
  },

  'a clock one hour off': async (product, name, calls) => {
    const step = (): boolean => process.kill(product.processes()[name]!, 'SIGUSR2');
    step();
    try {
      await calls();
    } finally {
      step();
    }
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
