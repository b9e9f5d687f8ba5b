import { inTransaction } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Client, describeError, isOutage, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { recorder, type Telling, tellings } from '../events/record-events.js';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { HOOK_TIME, toHookCall, toHookFailure } from '../hooks/trigger-hooks.js';
import { type Due } from '../schedule/scheduler.js';
import { isPaused } from '../suspension/pause.js';
import { type Bounds, type BacklogLimit } from '../backlog/backlog-limit.js';
import { type PlanLimits } from '../plan-limits.js';
import { type WorkspaceStates } from '../suspension/workspace-states.js';
import { minutesNow, nextPoll, type NextPoll, type PollAnswer, type PollState, SOON_MS } from './next-poll.js';

interface PollParts {
  db: Db;
  pool: Pool;
  log: Logger;
  hooks: Pick<Client<TriggerHookServiceDefinition>, 'pollHook'>;
  findMinimum: PlanLimits['findMinimum'];
  states: Pick<WorkspaceStates, 'find'>;
  backlog: Pick<BacklogLimit, 'take'>;
  enqueue: Enqueue;
}

const NOTHING: Bounds = { rows: 0, bytes: 0 };
/** Polling interval, in minutes, of a source that is polled after notifications, in case a notification is lost. */
export const NOTIFIED_MINUTES = 60;
/** Delay, in minutes, of the next poll of a source with notifications if its backlog limit rejected a poll. */
const RETRY_MINUTES = 1;

/**
 * Stores the new cursor and the time of the next poll. Matches only the `poll_at` that was read, so that a poller with an expired lease writes
 * nothing. If a notification arrived during the poll, another poll follows soon.
 */
const MOVE = {
  name: 'move-polled-source',
  text: `UPDATE triggers.sources SET cursor = $4::json, failures = $5, updated_at = now(), last_polled_at = now(),
      poll_at = now() + CASE WHEN notified_at IS NOT NULL AND $5 = 0 THEN least($6::float8, ${SOON_MS}) ELSE $6::float8 END * interval '1 millisecond'
    WHERE org_id = $1 AND id = $2 AND status = 'enabled' AND poll_at = $3`,
};

/**
 * Postpones a poll while the source or its organization is at its backlog limit, without changing the cursor or counting a failure. If the provider
 * was called, the time of the poll is recorded, so that the next notification does not cause another call within 2 s.
 */
const LATER = {
  name: 'poll-source-later',
  text: `UPDATE triggers.sources SET poll_at = now() + $4::int * interval '1 minute',
      last_polled_at = CASE WHEN $5::boolean THEN now() ELSE last_polled_at END
    WHERE org_id = $1 AND id = $2 AND status = 'enabled' AND poll_at = $3`,
};

/** Polls a source that the caller has leased. Rejects on an internal error, possibly before the provider was called. */
export type Poll = (due: Due) => Promise<void>;

/**
 * Returns a function that polls the provider of a source. The events, the new cursor and the time of the next poll are written in one transaction, so
 * that the poll is repeated from the old cursor after a crash. If the provider fails, the source is polled again after its back-off.
 */
export function pollSource(parts: PollParts): Poll {
  return async ({ id, orgId, at }) => {
    const source = await parts.db.source.findFirst({ where: { id, orgId, status: 'enabled', pollAt: new Date(at) } });
    if (!source || (await isPaused(parts, 'poll', { ...source, at }))) return;
    const minutes = minutesNow(source.pollingMinutes ?? NOTIFIED_MINUTES, await parts.findMinimum(orgId));
    const laterMinutes = source.pollingMinutes === null ? RETRY_MINUTES : minutes;
    const later = async (isAsked: boolean): Promise<void> =>
      void (await parts.pool.query({ ...LATER, values: [orgId, id, at, laterMinutes, isAsked] }));
    if (!(await parts.backlog.take(source, NOTHING))) return later(false);
    const cursor = source.cursor === null ? null : JSON.stringify(source.cursor);
    const next = judge(parts, source, { cursor, failures: source.failures, minutes }, await ask(parts, source, cursor));
    const told = tellings(source, next.events);
    const isTaken = told.length === 0 || (await parts.backlog.take(source, sizeOf(told)));
    if (!isTaken) return later(true);
    await inTransaction(parts.pool, async (tx) => {
      const values = [orgId, id, at, next.cursor, next.failures, next.inMs];
      const { rowCount } = await tx.query({ ...MOVE, values });
      if (rowCount === 0) return;
      const { tell, end } = recorder(tx, parts.enqueue);
      await tell(told);
      await end();
    });
  };
}

function sizeOf(told: readonly Telling[]): Bounds {
  const bytes = told.reduce((before, { payload }) => before + Buffer.byteLength(payload), 0);
  return { rows: told.length, bytes };
}

/**
 * Calls the trigger code. An error of the provider is returned as a failure. Throws if another service of Drawbridge is unavailable, because the
 * provider was then not called and no failure must be counted.
 */
async function ask({ hooks, log }: PollParts, source: Source, cursor: string | null): Promise<PollAnswer> {
  try {
    const stateJson = source.state === null ? undefined : JSON.stringify(source.state);
    return await hooks.pollHook({ call: toHookCall(source), cursorJson: cursor ?? undefined, stateJson }, HOOK_TIME);
  } catch (error) {
    if (isOutage(error)) throw error;
    log.info({ orgId: source.orgId, sourceId: source.id, error: describeError(error) }, 'a poll failed');
    return { failed: true, retryAfterSeconds: toHookFailure(error).retryAfterSeconds };
  }
}

function judge({ log }: PollParts, { id, orgId }: Source, state: PollState, answer: PollAnswer): NextPoll {
  try {
    return nextPoll(state, answer);
  } catch (error) {
    log.warn({ orgId, sourceId: id, error: describeError(error) }, 'a poll returned an invalid result');
    return nextPoll(state, { failed: true });
  }
}
