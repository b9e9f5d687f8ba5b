import { repeat } from '@drawbridge/events';
import { type Background, describeError, isOutage, type Logger, type Metric, untilDeadline } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { choosePolls, fullOrigins } from './choose-polls.js';
import { findDuePolls, FIRST, type LeasedPoll, leasePolls } from './due-polls.js';
import { type Poll } from './poll.js';

const EVERY_MS = 1_000;
/** Minimum time, in milliseconds, between two searches for due polls. Each poll that ends causes a search, because it frees a slot. */
const PAUSE_MS = 100;

/**
 * Postpones a poll after an internal error. An outage of Drawbridge does not count as a failure of the source. After any other error, the delay
 * doubles each time, up to 6 hours.
 */
const POSTPONE = {
  name: 'postpone-poll',
  text: `UPDATE triggers.sources SET failures = failures + $4::int, poll_at = now() + CASE $4::int WHEN 0 THEN interval '5 seconds'
      ELSE least(interval '6 hours', interval '1 minute' * 2 ^ least(failures, 10)) END
    WHERE org_id = $1 AND id = $2 AND status = 'enabled' AND poll_at = $3`,
};

interface Needs {
  pool: Pool;
  log: Logger;
  poll: Poll;
}

/**
 * Polls due sources. Runs in every process. A source is leased only when a slot is free, so that it never waits in a process that is busy or exits.
 */
export function poller({ pool, log, poll }: Needs): Background {
  const running = new Map<LeasedPoll, Promise<void>>();
  let pause: NodeJS.Timeout | undefined;
  let after = FIRST;

  const looking = repeat({ name: 'starting due polls', everyMs: EVERY_MS, log }, async (stopping, aside) => {
    const found = await findDuePolls(pool, { skipped: aside.keys(), after, full: fullOrigins(running.keys()) });
    after = found.after;
    const chosen = choosePolls(found.polls, running.keys());
    if (stopping.aborted) return;
    for (const one of await leasePolls(pool, chosen, aside)) begin(one);
  });

  function begin(one: LeasedPoll): void {
    const run = runPoll({ pool, log, poll }, one).finally(() => end(one));
    running.set(one, run);
  }

  function end(one: LeasedPoll): void {
    running.delete(one);
    pause ??= setTimeout(() => {
      pause = undefined;
      looking.wake();
    }, PAUSE_MS).unref();
  }

  return {
    jobs: looking.jobs,
    start: () => looking.start(),
    async stop(deadline) {
      await looking.stop(deadline);
      await untilDeadline(Promise.all(running.values()), deadline);
    },
  };
}

async function runPoll({ pool, log, poll }: Needs, { id, orgId, at }: LeasedPoll): Promise<void> {
  try {
    await poll({ id, orgId, at });
  } catch (error) {
    const line = { orgId, sourceId: id, error: describeError(error) };
    log.warn(line, 'a poll failed with an internal error; trying again later');
    const values = [orgId, id, at, isOutage(error) ? 0 : 1];
    // Ignores a failure, because the source is due again when the lease expires.
    await pool.query({ ...POSTPONE, values }).catch(() => undefined);
  }
}

/** Maximum number of due polls that are counted, to limit the cost. Higher numbers make no difference for an operator. */
const MOST = 100_000;

const LATE = {
  name: 'late-polls',
  text: `SELECT count(*)::int AS many, coalesce(extract(epoch FROM now() - min(poll_at)), 0)::float8 AS seconds
    FROM (SELECT poll_at FROM triggers.sources WHERE status = 'enabled' AND poll_at <= now() ORDER BY poll_at LIMIT ${MOST}) AS due`,
};

/** Returns metrics about the polls that wait for a slot, for all processes together. */
export function pollMetrics(pool: Pool): Metric[] {
  const late = async () => (await pool.query<{ many: number; seconds: number }>(LATE)).rows[0]!;
  return [
    {
      name: 'drawbridge_trigger_polls_due',
      help: `Polls that are due and wait for a slot. At most ${MOST} are counted.`,
      type: 'gauge',
      read: async () => [{ value: (await late()).many }],
    },
    {
      name: 'drawbridge_trigger_poll_lag_seconds',
      help: 'How long the poll that is due longest has waited for a slot.',
      type: 'gauge',
      read: async () => [{ value: (await late()).seconds }],
    },
  ];
}
