import { randomBytes } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { rowsOf } from './database.js';

/** Two rows for one background job: a row that cannot be changed or deleted, and a similar row that can. */
export interface PoisonedRows {
  table: string;
  /** The column that distinguishes the two rows. */
  column: string;
  /** Columns and values of a row. $1 is its value of that column, $2 a new organization id. */
  row: string;
  /** SQL condition that is true for a row that the job has processed. A deleted row also counts as processed. */
  isDone: string;
}

const SEALED = `'\\x00', '\\x00', 'k1'`;
/** A UUIDv7 of 1970: older than any retention period. */
const OLD = '00000000-0000-7000-8000-';

const publishing = (service: string): PoisonedRows => ({
  table: `${service}.outbox`,
  column: 'org_id',
  row: `(id, org_id, type, envelope) SELECT gen_random_uuid(), $1, 'x', decode('${envelope()}', 'hex')`,
  isDone: 'published_at IS NOT NULL',
});
const emptying = (service: string): PoisonedRows => ({
  table: `${service}.purged_workspaces`,
  column: 'workspace_id',
  row: `(workspace_id) SELECT $1`,
  isDone: 'emptied_at IS NOT NULL',
});
const retention = (service: string): PoisonedRows => ({
  table: `${service}.inbox`,
  column: 'event_id',
  row: `(event_id, received_at) SELECT $1, now() - interval '30 days'`,
  isDone: 'false',
});
const fitting = (service: string): PoisonedRows => ({
  table: `${service}.plan_limits`,
  column: 'org_id',
  row: `(org_id, version, allowed) SELECT $1, 1, 1`,
  isDone: 'fitted_at IS NOT NULL',
});

/** Rows by service, and by the job's name in `drawbridge_job_rows_put_aside`. */
export const POISONED: Record<string, Record<string, PoisonedRows>> = {
  members: {
    'publishing events': publishing('members'),
    retention: retention('members'),
    'fitting workspaces to plans': fitting('members'),
  },
  connections: {
    'publishing events': publishing('connections'),
    'emptying workspaces of connections': emptying('connections'),
    retention: retention('connections'),
    'fitting connections to plans': fitting('connections'),
    'refreshing idle connections': {
      table: 'connections.connections',
      column: 'id',
      row: `(id, org_id, external_id, display_name, integration_name, type, status, scope, scope_id, refresh_at, updated_at,
          sealed, wrapped_key, master_key_id)
        SELECT $1, $2, $1::text, 'C', 'github', 'OAUTH2', 'ACTIVE', 'ORGANIZATION', $2, now(), now(), ${SEALED}`,
      isDone: "refresh_until IS NOT NULL OR refresh_failures > 0 OR status <> 'ACTIVE'",
    },
    'revoking grants': {
      table: 'connections.revocations',
      column: 'id',
      row: `(id, org_id, integration_name, due_at, sealed, wrapped_key, master_key_id)
        SELECT $1, $2, 'github', now(), ${SEALED}`,
      isDone: 'due_at > now()',
    },
    'forgetting grants': {
      table: 'connections.revocations',
      column: 'id',
      row: `(id, org_id, integration_name, due_at, created_at, sealed, wrapped_key, master_key_id)
        SELECT $1, $2, 'gitlab', now() + interval '1 day', now() - interval '1 day', ${SEALED}`,
      isDone: 'false',
    },
  },
  catalog: {
    'publishing events': publishing('catalog'),
    'emptying workspaces of catalog': emptying('catalog'),
    retention: retention('catalog'),
  },
  approvals: {
    'publishing events': publishing('approvals'),
    'emptying workspaces of approvals': emptying('approvals'),
    retention: retention('approvals'),
    'expiring approval requests': {
      table: 'approvals.approval_requests',
      column: 'id',
      row: `(id, org_id, workspace_id, policy_id, source, status, integration_name, action_name, input_hash, input_preview,
          redacted_paths, risk_reasons, approval_access_mode, approvers, idempotency_key, timeout_seconds, default_on_timeout,
          expires_at, created_at, updated_at)
        SELECT $1, $2, $1, $1, 'rest', 'pending', 'github', 'comment', '', '{}', '{}', '{}', 'dashboard_only', '[]', $1::text, 60,
          'reject', now(), now(), now()`,
      isDone: "status = 'expired'",
    },
  },
  execution: {
    'publishing events': publishing('execution'),
    'emptying workspaces of execution': emptying('execution'),
    retention: retention('execution'),
    'settling lapsed runs': {
      table: 'execution.claims',
      column: 'execution_id',
      row: `(execution_id, org_id, key, request_hash, workspace_id, run, lease_until, expires_at)
        SELECT $1::uuid, $2::uuid, $1::text, '', $2::uuid, json_build_object('id', $1::uuid, 'orgId', $2::uuid, 'workspaceId', $2::uuid,
          'source', 'rest', 'integrationName', 'github', 'actionName', 'comment', 'userId', $2::uuid, 'requestId', 'r', 'input', 1,
          'createdAt', now()), now(), now() + interval '1 day'`,
      isDone: 'outcome IS NOT NULL',
    },
    'purging stored state': {
      table: 'execution.state_spaces',
      column: 'id',
      row: `(id, org_id, workspace_id, scope, owner, entries, bytes, ended_at, written_at)
        SELECT $1::uuid, $2, $1::uuid, 'end_user', $1::text, 1, 1, now(), now()`,
      isDone: 'entries = 0',
    },
  },
  triggers: {
    'publishing events': publishing('triggers'),
    'emptying workspaces of triggers': emptying('triggers'),
    retention: retention('triggers'),
    'resuming work of suspended workspaces': {
      table: 'triggers.suspended_workspaces',
      column: 'workspace_id',
      row: `(workspace_id, org_id) SELECT $1, $2`,
      isDone: 'false',
    },
  },
  mcp: {
    'publishing events': publishing('mcp'),
    'emptying workspaces of mcp': emptying('mcp'),
    retention: retention('mcp'),
    'fitting servers to plans': fitting('mcp'),
  },
};

/** Returns an event without a payload, which consumers ignore. */
function envelope(): string {
  const event = Envelope.fromPartial({ id: newId(), type: 'x', occurredAt: new Date(0).toISOString() });
  return Buffer.from(Envelope.encode(event).finish()).toString('hex');
}

/** The values of the two rows in the distinguishing column. The poisoned row is sorted first. */
export interface Planted {
  bad: string;
  good: string;
}

/** Inserts both rows, and a trigger that fails each change of the poisoned row, in one transaction. */
export async function plant(databaseUrl: string, { table, column, row }: PoisonedRows): Promise<Planted> {
  const [bad, good] = [1, 2].map(() => OLD + randomBytes(6).toString('hex')).sort() as [string, string];
  const inserts = [bad, good].map((id) => {
    const values = row.replaceAll('$1', `'${id}'::uuid`).replaceAll('$2', `'${newId()}'::uuid`);
    return `INSERT INTO ${table} ${values};`;
  });
  await rowsOf(
    databaseUrl,
    `CREATE OR REPLACE FUNCTION public.poisoned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'poisoned'; END $$;
     ${inserts.join('\n')}
     CREATE TRIGGER "poison ${bad}" BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW WHEN (OLD.${column} = '${bad}')
       EXECUTE FUNCTION public.poisoned()`,
  );
  return { bad, good };
}

/** Returns the rows that the job has not processed. */
export async function untouched(databaseUrl: string, { table, column, isDone }: PoisonedRows, ids: Planted) {
  const sql = `SELECT ${column} AS id FROM ${table} WHERE ${column} = ANY($1::uuid[]) AND NOT (${isDone})`;
  const rows = await rowsOf<{ id: string }>(databaseUrl, sql, [[ids.bad, ids.good]]);
  return Object.entries(ids).flatMap(([name, id]) => (rows.some((row) => row.id === id) ? [name] : []));
}
