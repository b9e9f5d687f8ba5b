import { type Background, describeError, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { sweepClaims } from './claims.js';
import { type Leases } from './lease.js';
import { purgeLateRuns } from './purge-workspaces.js';

const EVERY_MS = 15_000;

interface Sweeping {
  pool: Pool;
  leases: Leases;
  log: Logger;
}

/** Settles runs whose process died and whose key nobody asks for again, and removes what deleted workspaces left. */
export function sweeper({ pool, leases, log }: Sweeping): Background {
  let timer: NodeJS.Timeout;
  let sweeping = Promise.resolve();
  const sweep = (): void => {
    sweeping = sweepOnce(pool, leases).catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'sweeping failed; trying again');
    });
  };
  return {
    start: () => void (timer = setInterval(sweep, EVERY_MS)),
    stop: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}

async function sweepOnce(pool: Pool, leases: Leases): Promise<void> {
  await sweepClaims(pool, leases);
  await purgeLateRuns(pool);
}
