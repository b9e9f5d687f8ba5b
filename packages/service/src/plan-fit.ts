import { type ServiceName } from '@drawbridge/contracts';
import { lockQuota } from '@drawbridge/database';
import {
  type AfterCommit,
  type AuditedChange,
  type EventOf,
  insertEvents,
  inTransaction,
  type Log,
  type PutAside,
  repeat,
  unaskedEvent,
} from '@drawbridge/events';
import { type Background } from '@drawbridge/rpc';
import type { Pool, PoolClient } from 'pg';

/**
 * A plan change starts the reconciliation in the process that consumes the event. The interval is for changes in a process that crashed, and for
 * retries.
 */
const EVERY_MS = 5_000;
/** Maximum number of rows per transaction, because each transaction locks the organization's totals. */
const BATCH_ROWS = 500;
/** Maximum number of organizations per query. */
const TURN = 100;

/** A table that a plan limits. It has the column `suspended_at`, and its schema contains `totals` and `plan_limits`. */
interface Limited {
  pool: Pool;
  service: ServiceName;
  table: 'workspaces' | 'connections' | 'servers';
  log: Log;
}

/**
 * Reconciles an organization's rows with its plan when the plan changes. Suspends the newest rows beyond the limit, and resumes rows that a plan
 * suspended, oldest first, up to the limit. Rows that were suspended on request stay suspended.
 */
interface PlanFit extends Background {
  /** Stores the new limits, in the transaction that consumes the events. The rows are reconciled soon afterwards, in batches. */
  note(events: EventOf<'planChanged'>[], tx: PoolClient, afterCommit: AfterCommit): Promise<void>;
}

export function planFit({ pool, service, table, log }: Limited): PlanFit {
  const sql = statements(service, table);

  const fit = (orgId: string): Promise<void> =>
    inTransaction(pool, (tx) => fitSome(tx, sql, { orgId, table, service }));
  /** Processes some rows of each organization in turn, so that no organization waits for all rows of another organization or for rows that fail. */
  const fitAll = async (stopping: AbortSignal, aside: PutAside): Promise<void> => {
    for (let some = await next(pool, sql, aside); some.length > 0; some = await next(pool, sql, aside)) {
      for (const orgId of some) {
        if (stopping.aborted) return;
        await aside.attempt(orgId, () => fit(orgId));
      }
    }
  };
  const background = repeat({ name: `fitting ${table} to plans`, everyMs: EVERY_MS, log }, fitAll);
  return {
    ...background,

    async note(events, tx, afterCommit) {
      for (const { orgId, payload } of events) {
        const { version, limits } = payload.value;
        await tx.query(sql.note, [orgId, version, limits?.[KINDS[table].quota] ?? null]);
      }
      afterCommit(background.wake);
    },
  };
}

async function next(pool: Pool, sql: Statements, aside: PutAside): Promise<string[]> {
  const { rows } = await pool.query<{ orgId: string }>(sql.next, [aside.keys()]);
  return rows.map(({ orgId }) => orgId);
}

type Fitted = Pick<Limited, 'service' | 'table'> & { orgId: string };

/** Requests that create or resume rows wait for the lock and then read the stored limit, so the limit is not exceeded again. */
async function fitSome(tx: PoolClient, sql: Statements, { orgId, table, service }: Fitted): Promise<void> {
  await lockQuota(tx, { orgId, table });
  const { rows } = await tx.query<{ version: number; allowed: number | null; room: number | null }>(sql.room, [orgId]);
  const { version, allowed, room } = rows[0]!;
  const [change, wanted] = room !== null && room < 0 ? [sql.suspend, -room] : [sql.resume, room ?? BATCH_ROWS];
  const changed = await tx.query<AuditedChange>(change.text, [orgId, Math.min(wanted, BATCH_ROWS)]);
  const reason = allowed === null ? 'the plan has no limit' : `the plan allows ${allowed}`;
  const entries = changed.rows.map((row) => unaskedEvent('system', { ...row, orgId, action: change.action, reason }));
  if (entries.length > 0) await insertEvents(tx, service, entries);
  else await tx.query(sql.done, [orgId, version]);
}

/** For each limited table: the name of its quota in a plan, the name of one row in the audit log, and the columns that the audit log contains. */
const KINDS = {
  workspaces: { quota: 'workspaces', resource: 'workspace', shown: 'id, name, id AS "workspaceId"' },
  connections: {
    quota: 'connections',
    resource: 'connection',
    shown: 'id, display_name AS name, workspace_id AS "workspaceId"',
  },
  servers: { quota: 'mcpServers', resource: 'mcp_server', shown: 'id, name, workspace_id AS "workspaceId"' },
} as const;

type Statements = ReturnType<typeof statements>;

const statements = (schema: string, kind: Limited['table'], table = `${schema}.${kind}`) => ({
  note: `INSERT INTO ${schema}.plan_limits (org_id, version, allowed) VALUES ($1, $2, $3)
    ON CONFLICT (org_id) DO UPDATE SET version = excluded.version, allowed = excluded.allowed, fitted_at = NULL
    WHERE plan_limits.version < excluded.version`,
  next: `SELECT org_id AS "orgId" FROM ${schema}.plan_limits WHERE fitted_at IS NULL AND org_id <> ALL($1::uuid[])
    ORDER BY org_id LIMIT ${TURN}`,
  room: `SELECT plan.version, plan.allowed, plan.allowed - coalesce(total.rows - total.suspended, 0) AS room
    FROM ${schema}.plan_limits plan
    LEFT JOIN ${schema}.totals total ON total.org_id = plan.org_id AND total."of" = '${kind}'
    WHERE plan.org_id = $1`,
  suspend: {
    action: `${KINDS[kind].resource}.suspend`,
    text: `UPDATE ${table} SET suspended_at = now(), suspension_reason = 'plan', updated_at = now()
      WHERE org_id = $1 AND suspended_at IS NULL AND id IN (
        SELECT id FROM ${table} WHERE org_id = $1 AND suspended_at IS NULL ORDER BY created_at DESC, id DESC LIMIT $2)
      RETURNING ${KINDS[kind].shown}`,
  },
  resume: {
    action: `${KINDS[kind].resource}.resume`,
    text: `UPDATE ${table} SET suspended_at = NULL, suspension_reason = NULL, updated_at = now()
      WHERE org_id = $1 AND suspension_reason = 'plan' AND id IN (
        SELECT id FROM ${table} WHERE org_id = $1 AND suspended_at IS NOT NULL AND suspension_reason = 'plan'
        ORDER BY created_at, id LIMIT $2)
      RETURNING ${KINDS[kind].shown}`,
  },
  done: `UPDATE ${schema}.plan_limits SET fitted_at = now() WHERE org_id = $1 AND version = $2`,
});

/** The plan's limit of a resource. Null means no limit. */
interface Allowed {
  allowed: number | null;
  /** Increases with every change of the plan. */
  version: number;
}

/** A transaction in a schema with `plan_limits`, which `planFit` maintains. */
interface NotedLimits {
  planLimit: { findUnique(args: object): PromiseLike<Allowed | null> };
}

/**
 * Returns a function that returns the limit, or null if there is no limit. Call the returned function in the transaction that has the quota lock: it
 * also considers limits that an event stored after the first call.
 */
export type FindLimit = (orgId: string) => Promise<(tx: NotedLimits) => Promise<number | null>>;

/** Returns a FindLimit. `ask` calls the members service, outside of any transaction. */
export function planLimit(ask: (orgId: string) => Promise<Allowed>): FindLimit {
  return async (orgId) => {
    const known = await ask(orgId);
    return async (tx) => {
      const noted = await tx.planLimit.findUnique({ where: { orgId } });
      return noted && noted.version > known.version ? noted.allowed : known.allowed;
    };
  };
}
