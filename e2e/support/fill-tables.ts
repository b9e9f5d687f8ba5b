import { SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';
import { type Client } from 'pg';

/** Each service with a database uses the schema with its name. */
const SCHEMAS = SERVICES.filter((service) => SERVICE_TABLE[service].hasDatabase);
const IN_SCHEMAS = SCHEMAS.map((schema) => `'${schema}'`).join(', ');

/** The organization that the rows belong to. The measured calls use other workspaces and resources. */
export interface Place {
  orgId: string;
}

/** SQL for a unique UUIDv7. Row number `n` was created `n` milliseconds ago. */
const ID = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - n), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid`;
const OTHER = `('01980000000070008000' || lpad(to_hex(n % 2000), 12, '0'))::uuid`;
const AGO = `now() - n * interval '1 second'`;
/** SQL for the time that is encoded in the id. */
const THEN = `now() - n * interval '1 millisecond'`;

/** Columns and values of each table for row number `n`. $1 is the organization. */
const ROWS: Record<string, string> = {
  'members.organizations': `(id, name, slug, plan, created_at, updated_at)
    SELECT ${ID}, 'Org', 'org-' || n, 'free', ${AGO}, now()`,
  'members.brands': `(org_id, color) SELECT ${ID}, '#0f766e'`,
  'members.users': `(id, email, name, updated_at) SELECT ${ID}, n || '@example.com', 'User', now()`,
  'members.accounts': `(id, user_id, provider_id, account_id, updated_at)
    SELECT ${ID}, ${ID}, 'credential', n::text, now()`,
  'members.sessions': `(id, user_id, active_org_id, token, expires_at, updated_at)
    SELECT ${ID}, ${ID}, $1, md5(n::text), now() + interval '7 days', now()`,
  'members.verifications': `(id, identifier, value, expires_at, updated_at)
    SELECT ${ID}, 'v-' || n, '{}', now() + interval '1 day', now()`,
  'members.attempts': `(key, points, expire) SELECT 'a-' || n, 1, 4102444800000`,
  'members.members': `(id, org_id, user_id, role) SELECT ${ID}, $1, ${ID}, 'member'`,
  'members.invitations': `(id, org_id, email, role, expires_at, created_at)
    SELECT ${ID}, $1, n || '@example.com', 'member', ${AGO} + interval '3 days', ${AGO}`,
  'members.workspace_members': `(id, org_id, workspace_id, member_id, role)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'member'`,
  'members.workspaces': `(id, org_id, name, slug, created_at, updated_at)
    SELECT ${ID}, $1, 'W', 'w-' || n, ${AGO}, now()`,
  'members.api_keys': `(id, org_id, user_id, name, key_hash, key_prefix, permissions, created_at)
    SELECT ${ID}, $1, ${ID}, 'Key', md5(n::text), 'svc_0000', '{"scope":"org"}', ${AGO}`,
  'members.action_usage': `(org_id, month, actions)
    SELECT CASE WHEN n < 600 THEN $1 ELSE ${ID} END, date '2030-01-01' + (n % 600) * interval '1 month', 1`,
  'members.action_leases': `(id, org_id, month, held, until)
    SELECT ${ID}, $1, date '2030-01-01' + (n % 600) * interval '1 month', 1, now()`,
  'members.audit_entries': `(id, org_id, seq, actor_type, action, resource_type, outcome, request_id, created_at, hash,
      actor_id, workspace_id, resource_id)
    SELECT ${ID}, $1, 1000 + n, 'api_key', 'connection.use', 'connection', 'allowed', '', ${THEN}, '\\x00', ${OTHER}, ${OTHER},
      ${OTHER}`,
  'members.audit_chains': `(org_id, entries, hash) SELECT ${ID}, 1, '\\x00'`,
  'members.totals': `(org_id, "of", rows, suspended) SELECT ${ID}, 'workspaces', 1, 0`,
  'connections.totals': `(org_id, "of", rows, suspended) SELECT ${ID}, 'connections', 1, 0`,
  'connections.end_users': `(id, org_id, workspace_id, external_id, created_at, updated_at)
    SELECT ${ID}, $1, ${OTHER}, 'u-' || n, ${AGO}, now()`,
  'connections.portal_tokens': `(id, org_id, end_user_id, token_hashes, expires_at)
    SELECT ${ID}, $1, ${ID}, ARRAY[md5(n::text)], now() + interval '7 days'`,
  'connections.email_proofs': `(id, org_id, workspace_id, flow_hash, email, expires_at, created_at)
    SELECT ${ID}, $1, ${OTHER}, md5(n::text), n || '@example.com', now() + interval '10 minutes', ${THEN}`,
  'connections.proven_origins': `(id, org_id, email, origin, expires_at)
    SELECT ${ID}, $1, n || '@example.com', md5(n::text), now() + interval '30 days'`,
  'connections.sent_mails': `(id, org_id, email, created_at) SELECT ${ID}, $1, n || '@example.com', ${THEN}`,
  // All rows are newer than the usable connection and are themselves unusable, so a query without a suitable index would read all of them.
  'connections.connections': `(id, org_id, external_id, display_name, integration_name, type, status, scope, scope_id,
      created_at, updated_at, sealed, wrapped_key, master_key_id)
    SELECT ${ID}, $1, 'c-' || n, 'C', 'github', 'SECRET_TEXT', 'ERROR', 'ORGANIZATION', $1,
      now() + n * interval '1 second', now(), '\\x00', '\\x00', 'k1'`,
  'connections.oauth_apps': `(id, org_id, integration_name, place_id, client_id, is_default, created_at, updated_at, sealed, wrapped_key,
      master_key_id)
    SELECT ${ID}, $1, 'github', ${OTHER}, 'client', true, ${AGO}, now(), '\\x00', '\\x00', 'k1'`,
  'connections.webhook_secrets': `(id, org_id, sealed, wrapped_key, master_key_id, valid_until)
    SELECT ${ID}, ${OTHER}, '\\x00', '\\x00', 'k1', now() + interval '1 day'`,
  'connections.revocations': `(id, org_id, integration_name, sealed, wrapped_key, master_key_id, due_at, created_at)
    SELECT ${ID}, $1, 'github', '\\x00', '\\x00', 'k1', now() + interval '1 day', now() + interval '1 day'`,
  'connections.connect_sessions': `(id, org_id, token_hash, integration_name, connection_name, external_id, workspace_id, scope,
      expires_at, updated_at)
    SELECT ${ID}, $1, 'h-' || n, 'github', 'C', 'c-' || n, ${OTHER}, 'WORKSPACE', now() + interval '1 hour', now()`,
  'catalog.workspace_integrations': `(id, org_id, workspace_id, integration_name, alias, connection_strategy, connection_id,
      settings, sort_order, updated_at)
    SELECT ${ID}, $1, ${OTHER}, 'github', 'a-' || n, 'fixed', ${OTHER}, '{}', 0, now()`,
  'catalog.input_partials': `(id, org_id, workspace_id, integration_name, workspace_integration_id, name, values, is_default,
      updated_at)
    SELECT ${ID}, $1, ${OTHER}, 'github', ${ID}, 'p-' || n, '{}', true, now()`,
  'catalog.bearer_shares': `(id, org_id, workspace_id, confirmed_at) SELECT ${ID}, $1, ${OTHER}, now()`,
  'approvals.totals': `(org_id, "of", rows, suspended) SELECT ${ID}, 'approval_policies', 1, 0`,
  'approvals.approval_requests': `(id, org_id, workspace_id, policy_id, source, status, integration_name, action_name, input_hash,
      input_preview, redacted_paths, risk_reasons, approval_access_mode, approvers, idempotency_key, timeout_seconds, default_on_timeout,
      expires_at, decided_at, created_at, updated_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'rest', 'consumed', 'github', 'comment', md5(n::text), '{}', '{}', '{}', 'dashboard_only', '[]',
      'k-' || n, 3600, 'reject', ${AGO}, ${AGO}, ${AGO}, ${AGO}`,
  'approvals.approval_policies': `(id, org_id, workspace_id, name, enabled, priority, end_user_mode, decision, risk_mode, rules, approvers,
      timeout_seconds, default_on_timeout, approval_access_mode, created_at, updated_at)
    SELECT ${ID}, ${ID}, ${OTHER}, 'P', true, 100, 'any', 'require_approval', 'rules', '{}', '[]',
      3600, 'reject', 'dashboard_only', ${AGO}, now()`,
  'approvals.model_verdicts': `(org_id, policy_id, policy_version, input_hash, is_risky, reason)
    SELECT $1, ${ID}, now(), md5(n::text), false, 'R'`,
  'approvals.sent_mails': `(id, org_id, email, created_at) SELECT ${ID}, $1, n || '@example.com', ${THEN}`,
  'approvals.webhook_deliveries': `(id, org_id, workspace_id, request_id, event_type, callback_url, status, occurred_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'approval.requested', 'https://acme.example/', 'success', now()`,
  'execution.executions': `(id, org_id, source, integration_name, action_name, workspace_id, status, duration_ms, input,
      created_at)
    SELECT ${ID}, $1, 'rest', 'github', 'create_issue', ${OTHER}, 'success', 1, '{}', now()`,
  'execution.running_executions': `(id, org_id, workspace_id, run, until)
    SELECT ${ID}, $1, ${OTHER}, '{}', now() - interval '1 minute'`,
  'execution.console_lines': `(id, org_id, workspace_id, line, level, text) SELECT ${ID}, $1, ${OTHER}, n, 'log', 'x'`,
  'execution.code_runs': `(id, org_id, workspace_id, mcp_server_id, status, code_hash, tool_surface_hash, console, calls,
      lease_until, expires_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'waiting', '', '', '[]', '[]', now(), now() + interval '1 day'`,
  'execution.code_run_approvals': `(id, org_id, run_id) SELECT 'apr_' || n, $1, ${ID}`,
  'execution.claims': `(org_id, key, request_hash, workspace_id, execution_id, run, lease_until, outcome, expires_at)
    SELECT $1, 'k-' || n, '', ${OTHER}, ${ID}, '{}', now(), '{}', now() + interval '1 day'`,
  'execution.state_spaces': `(id, org_id, workspace_id, scope, owner, entries, bytes, written_at)
    SELECT ${ID}, $1, ${OTHER}, 'end_user', 'u-' || n, 1, 10, now()`,
  'execution.state_totals': `(org_id, bytes) SELECT ${ID}, 10`,
  'execution.state_entries': `(space_id, integration, key, org_id, seq, value, note, bytes, created_at, expires_at)
    SELECT ${ID}, 'kv-store', 'k-' || n, $1, n, '1', '{}', 10, now(), now() + interval '1 day'`,
  'triggers.totals': `(org_id, "of", rows, suspended) SELECT ${ID}, 'sources', 1, 0`,
  'triggers.sources': `(id, org_id, workspace_id, user_id, integration_name, trigger_name, trigger_type, input, callback_url, simulate,
      hook_id, status, suspended_at, created_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'github', 'push', 'WEBHOOK', '{}', 'https://acme.example/', false, 'h-' || n, 'enabled', NULL,
      ${AGO}`,
  'triggers.suspended_workspaces': `(workspace_id, org_id) SELECT ${ID}, $1`,
  'triggers.inbound': `(id, integration_name, method, url, headers, body)
    SELECT ${ID}, 'github', 'POST', '/', '{}', '\\x00'`,
  'triggers.events': `(id, org_id, workspace_id, source_id, provider_id, payload, simulate)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'e-' || n, '{}', false`,
  'triggers.deliveries': `(id, org_id, workspace_id, source_id, event_id, status)
    SELECT ${ID}, $1, ${OTHER}, ${OTHER}, ${ID}, 'success'`,
  'mcp.totals': `(org_id, "of", rows, suspended) SELECT ${ID}, 'servers', 1, 0`,
  'mcp.servers': `(id, org_id, workspace_id, user_id, name, mode, approval_wait_seconds, auth_mode, end_user_access, end_user_record_id,
      static_token_hash, created_at, updated_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'S', 'TOOLS', 0, 'bearer', 'restricted', ${ID}, md5(n::text), ${AGO}, now()`,
  'mcp.tools': `(id, org_id, workspace_id, server_id, integration_name, integration_alias, action_name, workspace_integration_id,
      connection_id, sort_order, updated_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'github', 'github', 'create_issue', ${OTHER}, ${OTHER}, 0, now()`,
  'mcp.tokens': `(id, org_id, workspace_id, server_id, kind, token_hash, token_prefix, scopes, end_user_id, end_user_record_id, expires_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'bearer', md5(n::text), 'mcp_', '{}', 'u-' || n, ${OTHER}, now() + interval '1 day'`,
  'mcp.oauth_clients': `(id, redirect_uris, application_type, expires_at)
    SELECT ${ID}, '{}', 'web', now() + interval '1 day'`,
  'mcp.oauth_grants': `(id, org_id, workspace_id, server_id, end_user_id, end_user_record_id, client_id, scopes, code_hash,
      code_challenge, redirect_uri, code_expires_at, expires_at)
    SELECT ${ID}, $1, ${OTHER}, ${ID}, 'u-' || n, ${OTHER}, '', '{}', md5(n::text), '', '', now(), now() + interval '1 day'`,
  'mcp.oauth_refresh_tokens': `(id, org_id, grant_id, token_hash, access_token_id, expires_at)
    SELECT ${ID}, $1, ${ID}, md5(n::text), ${ID}, now() + interval '1 day'`,
  'connections.source_secrets': `(id, org_id, workspace_id, sealed, wrapped_key, master_key_id)
    SELECT ${ID}, $1, ${OTHER}, '\\x00', '\\x00', 'k1'`,
  'connections.data_keys': `(id, org_id, workspace_id, wrapped_key, master_key_id, expires_at)
    SELECT ${ID}, $1, ${OTHER}, '\\x00', 'k1', now() + interval '1 day'`,
};

/** Columns and values of the tables that exist in several services. */
const SHARED_ROWS: Record<string, string> = {
  outbox: `(id, type, org_id, envelope, published_at) SELECT ${ID}, 't', $1, '\\x00', now()`,
  dead_events: `(id, type, org_id, envelope, created_at, reason) SELECT ${ID}, 't', $1, '\\x00', now(), 'large'`,
  inbox: `(event_id) SELECT ${ID}`,
  plan_limits: `(org_id, version, allowed, fitted_at) SELECT ${ID}, 1, 1, now()`,
  purged_workspaces: `(workspace_id, emptied_at) SELECT ${ID}, now()`,
};

const rowsOf = (table: string): string | undefined => ROWS[table] ?? SHARED_ROWS[table.split('.')[1]!];

const TABLES = `
  SELECT schemaname || '.' || tablename AS name FROM pg_tables
  WHERE schemaname IN (${IN_SCHEMAS}) AND tablename NOT IN ('_prisma_migrations', '_shipped_migrations')`;

const INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
  JOIN pg_class ON pg_class.oid = indexrelid
  WHERE NOT indisprimary AND relnamespace::regnamespace::text IN (${IN_SCHEMAS})`;

const FOREIGN_KEYS = `
  SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name FROM pg_constraint
  WHERE contype = 'f' AND connamespace::regnamespace::text IN (${IN_SCHEMAS})`;

// With these settings, filling takes a quarter of the time: no WAL, no foreign-key checks, and indexes that are built at the end.
const FAST = `SET session_replication_role = replica; SET maintenance_work_mem = '512MB'`;

/** Adds `count` rows to each table of the product. Throws if a table has no entry in ROWS. */
export async function fillTables(client: Client, count: number, { orgId }: Place): Promise<void> {
  // Sorted by name, because a table cannot become UNLOGGED before the tables that it references, and connections precedes end_users.
  const tables = (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name).sort();
  const unknown = tables.filter((table) => !rowsOf(table));
  if (unknown.length > 0) {
    const example = `'${unknown[0]}': \`(id, …) SELECT \${ID}, …\``;
    throw new Error(`Add an entry for each of ${unknown.join(', ')} to ROWS in fill-tables.ts, such as ${example}`);
  }
  expect(Object.keys(ROWS).filter((table) => !tables.includes(table))).toEqual([]);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
  await client.query(FAST);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  // Drops the foreign keys, because a table cannot become UNLOGGED while a logged table references it.
  const { rows: references } = await client.query<{ table: string; name: string }>(FOREIGN_KEYS);
  for (const { table, name } of references) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const name of tables) {
    await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false); ALTER TABLE ${name} SET UNLOGGED`);
    const sql = `INSERT INTO ${name} ${rowsOf(name)} FROM generate_series(1, ${count}) AS n`;
    await client.query(sql.includes('$1') ? sql : `${sql} WHERE $1::uuid IS NOT NULL`, [orgId]);
  }
  for (const { definition } of indexes) await client.query(definition);
  await client.query('RESET ALL; ANALYZE');
}
