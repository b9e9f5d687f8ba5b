import { type Background, describeError, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { sweepClaims } from './claims.js';

const EVERY_MS = 15_000;

/** Writes the log entry of runs whose process died and whose key nobody asks for again. */
export function claimSweeper(pool: Pool, log: Logger): Background {
  let timer: NodeJS.Timeout;
  let sweeping = Promise.resolve();
  const sweep = (): void => {
    sweeping = sweepClaims(pool).catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'claims could not be swept; trying again');
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
